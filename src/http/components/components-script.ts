import { createHash } from 'node:crypto'
import { builtScript, releasedText } from '../html/built-file.js'

/** The script of the components of pages. */
export interface ComponentsScript {
  readonly text: string
  /** Path that contains a hash of the text. */
  readonly path: string
  /** Value of the attribute `integrity` of its element. */
  readonly integrity: string
}

/** Releases whose script stays served under its hash, because pages of shops name it. */
const RELEASES = ['1.0.0']

/** `/Payload.js`, which pages of shops load; `fieldsUrl` is the address of the frames if they have an origin of their own. */
export function componentsScript(fieldsUrl?: string): ComponentsScript {
  return scriptOf(builtScript('components').text, fieldsUrl)
}

/** The scripts of earlier releases, unchanged. */
export function releasedScripts(fieldsUrl?: string): readonly ComponentsScript[] {
  return RELEASES.map((release) => scriptOf(releasedText(release, 'Payload.js'), fieldsUrl))
}

/** The only line of the script that depends on settings. */
const FIELDS_LINE = '\nconst FIELDS_URL = null\n'

function scriptOf(built: string, fieldsUrl: string | undefined): ComponentsScript {
  const address = fieldsUrl === undefined ? null : fieldsUrl.replace(/\/*$/, '/')
  const line = `\nconst FIELDS_URL = ${JSON.stringify(address)}\n`
  const text = built.replace(FIELDS_LINE, () => line)
  return { text, ...scriptPlace(text) }
}

/** Path and integrity of a script with this text. */
export function scriptPlace(text: string): Pick<ComponentsScript, 'path' | 'integrity'> {
  const digest = createHash('sha384').update(text).digest()
  return {
    path: `/Payload.${digest.toString('hex').slice(0, 20)}.js`,
    integrity: `sha384-${digest.toString('base64')}`,
  }
}
