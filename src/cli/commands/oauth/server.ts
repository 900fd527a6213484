import type { Settings } from '../../terminal/profiles/settings.js'

const DEFAULT = 'http://127.0.0.1:4242'

/** The address of the `serve` whose pages and endpoints are used. */
export function serverOf({ server, publicAddress }: Settings): string {
  return server?.value ?? publicAddress?.value ?? DEFAULT
}
