import { createHash } from 'node:crypto'
import { builtScript, builtStyle } from '../../html/built-file.js'
import { pageAddress } from '../../html/page-address.js'

interface ConsoleFile {
  /** Address of the file, which contains a hash of its content. */
  readonly address: string
  readonly type: string
  readonly text: string
}

const STYLE_FILE = fileOf('css', 'text/css; charset=utf-8', builtStyle('console').text)
const SCRIPT_FILE = fileOf('js', 'text/javascript; charset=utf-8', builtScript('console').text)

/** The files that pages of the console load. */
export const CONSOLE_FILES: readonly ConsoleFile[] = [STYLE_FILE, SCRIPT_FILE]

export const STYLE_ADDRESS = pageAddress(STYLE_FILE.address)
export const SCRIPT_ADDRESS = pageAddress(SCRIPT_FILE.address)

function fileOf(ending: string, type: string, text: string): ConsoleFile {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  return { address: `/console/files/console-${hash}.${ending}`, type, text }
}
