import { type Encoding, encodingOf, hasMark } from './decode.js'
import type { InputFile } from './input-file.js'

/** Settings for reading a file that the operator has given; the others are detected. */
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
  /** Whether result files begin with the byte order mark of UTF-8, for the spreadsheet that wrote the input. */
  readonly mark: boolean
  /** Whether the file is a spreadsheet (`.xlsx`, `.ods`, `.xls`) or compressed, instead of text. */
  readonly isArchive: boolean
  /** Whether cells were written with `safeCell`, as in the failed file of a batch. */
  readonly isSafe: boolean
}

const HEAD = 65_536
/** First bytes of ZIP, gzip and older spreadsheets. */
const ARCHIVES = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x1f, 0x8b],
  [0xd0, 0xcf, 0x11, 0xe0],
]
const DELIMITERS = [',', ';', '\t'] as const

/** Detects the dialect of a file from its first bytes and its name. */
export async function dialectOf(input: InputFile, given: GivenDialect): Promise<Dialect> {
  const head = await headOf(input)
  const encoding = encodingOf(head, given.encoding)
  const text = new TextDecoder(encoding).decode(head)
  const isLines = /\.(ndjson|jsonl)$/i.test(input.path ?? '') || /^\s*\{/.test(text)
  const format = given.format ?? (isLines ? 'ndjson' : 'csv')
  return {
    format,
    encoding,
    delimiter: given.delimiter ?? delimiterOf(text),
    mark: hasMark(head) || encoding !== 'utf-8',
    isArchive: ARCHIVES.some((start) => start.every((byte, at) => head[at] === byte)),
    isSafe: format === 'csv' && /\.failed\.csv$/i.test(input.path ?? ''),
  }
}

async function headOf(input: InputFile): Promise<Uint8Array> {
  for await (const chunk of input.read()) return chunk.subarray(0, HEAD)
  return new Uint8Array(0)
}

/** The most frequent delimiter in the header, outside of quotes. Empty rows may stand above the header. */
function delimiterOf(text: string): string {
  const [, header = ''] = /^[\r\n]*([^\r\n]*)/.exec(text.replace(/"[^"]*"/g, '')) ?? []
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}
