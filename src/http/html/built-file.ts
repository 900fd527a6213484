import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A file for browsers that `npm run build` has made from `src/http/browser`. No value is inserted into it. */
interface BuiltFile {
  readonly text: string
  /** The file as a source in a Content Security Policy. */
  readonly source: string
}

export interface BuiltScript extends BuiltFile {
  readonly kind: 'script'
}

export interface BuiltStyle extends BuiltFile {
  readonly kind: 'style'
}

/** Name of a file `NAME-script.ts` of `src/http/browser`. */
type ScriptName =
  | 'action'
  | 'components'
  | 'console'
  | 'controller'
  | 'field-frame'
  | 'hosted'
  | 'outcome'
  | 'payer'

/** Name of a file `NAME-style.css` of `src/http/browser`. */
type StyleName = 'console' | 'field-frame' | 'page'

/** The package is found by its name, because this module runs from its source, too. */
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('payctl/package.json')), 'dist', 'browser')

export function builtScript(name: ScriptName): BuiltScript {
  return { kind: 'script', ...fileOf(`${name}-script.js`) }
}

export function builtStyle(name: StyleName): BuiltStyle {
  return { kind: 'style', ...fileOf(`${name}-style.css`) }
}

/** The text of a script as an earlier release has served it. */
export function releasedText(release: string, name: string): string {
  return readFileSync(join(FOLDER, 'released', release, name), 'utf8')
}

function fileOf(name: string): BuiltFile {
  const text = readFileSync(join(FOLDER, name), 'utf8')
  return { text, source: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
}
