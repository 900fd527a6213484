import { isSafeHeader } from '../../../schema/safe-csv.js'
import { type Encoding, encodingOf, hasMark } from '../input/decode.js'
import { REASON } from './file-columns.js'
import type { InputFile } from './input-file.js'

/** Settings given as flags that determine how a file is read. Omitted settings are detected. */
export interface GivenDialect {
  readonly format?: 'csv' | 'ndjson' | undefined
  readonly encoding?: Encoding | undefined
  readonly delimiter?: string | undefined
}

/** Settings for reading a file. */
export interface Dialect {
  readonly format: 'csv' | 'ndjson'
  readonly encoding: Encoding
  /** The character between cells of CSV. */
  readonly delimiter: string
  /** First line that names the delimiter for spreadsheets, as in `sep=;`; empty if there is none. */
  readonly separatorLine: string
  /** Whether result files begin with the byte order mark of UTF-8, for the spreadsheet that wrote the input. */
  readonly mark: boolean
  /** Reason why the file has no rows that can be read, with the remedy. */
  readonly problem?: string | undefined
  /** Whether cells were written with `safeCell`, as in an export with `--safe-csv` or the failed file of a batch. */
  readonly isSafe: boolean
  /**
   * Whether texts keep leading and trailing blanks: in an export with `--safe-csv`, they belong to the
   * value.
   */
  readonly isExact: boolean
}

const HEAD = 65_536
/** First bytes of ZIP (also `.xlsx` and `.ods`), gzip and older spreadsheets. */
const ARCHIVES = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x1f, 0x8b],
  [0xd0, 0xcf, 0x11, 0xe0],
]
const DELIMITERS = [',', ';', '\t'] as const

/** First line with the delimiter; a spreadsheet may have saved it with quotes and empty cells behind it. */
const SEPARATOR_LINE = /^"?sep=([^\r\n"])"?[,;\t|]*(?:\r\n|\n|\r|$)/i

/** Detects the dialect of a file from its first bytes and its name. */
export async function dialectOf(input: InputFile, given: GivenDialect): Promise<Dialect> {
  const head = await headOf(input)
  const encoding = encodingOf(head, given.encoding)
  const text = new TextDecoder(encoding).decode(head)
  const isLines = /\.(ndjson|jsonl)$/i.test(input.path ?? '') || /^\s*\{/.test(text)
  const format = given.format ?? (isLines ? 'ndjson' : 'csv')
  const [separatorLine = '', separator] = (format === 'csv' && SEPARATOR_LINE.exec(text)) || []
  const header = headerIn(text.slice(separatorLine.length))
  const isExact = format === 'csv' && isSafeHeader(header)
  return {
    format,
    encoding,
    delimiter: given.delimiter ?? separator ?? delimiterOf(text.slice(separatorLine.length)),
    separatorLine,
    mark: hasMark(head) || encoding !== 'utf-8',
    problem: problemOf(head, text, given.format),
    isSafe: isExact || (format === 'csv' && (hasReasons(header) || /\.failed\.csv$/i.test(input.path ?? ''))),
    isExact,
  }
}

function problemOf(head: Uint8Array, text: string, given: Dialect['format'] | undefined): string | undefined {
  if (ARCHIVES.some((start) => start.every((byte, at) => head[at] === byte)))
    return 'Is no text but a spreadsheet or an archive: save it as CSV, and name that file'
  const isList = given !== 'csv' && /^\s*\[\s*[{\]]/.test(text)
  return isList ? "Is a JSON list: write one object per line, as jq -c '.[]' does" : undefined
}

async function headOf(input: InputFile): Promise<Uint8Array> {
  for await (const chunk of input.read()) return chunk.subarray(0, HEAD)
  return new Uint8Array(0)
}

/** The first line with more than blanks and delimiters. */
function headerIn(text: string): string {
  return text.split(/\r\n|\n|\r/).find((line) => /[^\s,;|"]/.test(line)) ?? ''
}

/** Whether the header is the header of a failed file. The header decides, because the file may have been renamed. */
function hasReasons(header: string): boolean {
  return header.replace(/^"/, '').startsWith(REASON)
}

/** The most frequent delimiter in the header, outside of quotes. */
function delimiterOf(text: string): string {
  const bare = text.replace(/"([^"]*)"/g, (_, cell: string) => (cell.trim() === '' ? '' : 'x'))
  const header = headerIn(bare)
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}
