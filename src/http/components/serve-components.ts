import type { FastifyInstance, FastifyReply } from 'fastify'
import { componentsScript, releasedScripts } from './components-script.js'
import { type FieldsDependencies, serveFields } from './serve-fields.js'

/** Headers of the script, which any page may load: it does no more than a page could do by itself. */
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const

/**
 * Serves the script of the components, and its frames. The script has fixed addresses, and an address that contains its
 * hash, which browsers may keep forever. Addresses of earlier releases keep their scripts.
 */
export function serveComponents(
  server: FastifyInstance,
  dependencies: FieldsDependencies & { readonly fieldsUrl?: string | undefined },
): void {
  serveFields(server, dependencies)
  const script = componentsScript(dependencies.fieldsUrl)
  const sending = (text: string, caching: string) => (_request: unknown, reply: FastifyReply) =>
    reply.headers({ ...SCRIPT_HEADERS, 'cache-control': caching }).send(text)
  for (const name of ['Payload', 'checkout', 'connect'])
    server.get(`/${name}.js`, sending(script.text, 'max-age=600'))
  for (const { path, text } of [script, ...releasedScripts(dependencies.fieldsUrl)])
    server.get(path, sending(text, 'public, max-age=31536000, immutable'))
}
