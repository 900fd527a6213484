/** Output formats: for people, as HTTP answers, one object per line, for spreadsheets. */
export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const

export type Format = (typeof FORMATS)[number]

/** The formats that files are written in, for people. */
export const WRITABLE = 'files are written as .csv, .json, .ndjson, or .txt for a table'

/** Endings of formats that are not written: such a file would not be what its name says. */
const OTHERS = [
  'xlsx',
  'xls',
  'ods',
  'tsv',
  'xml',
  'yaml',
  'yml',
  'html',
  'htm',
  'pdf',
  'parquet',
  'gz',
  'zip',
]

/** The format that a file's name implies; undefined if none, `other` if one that is not written. */
export function formatOfFile(name: string): Format | 'other' | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? []
  if (OTHERS.includes(ending)) return 'other'
  const found = { jsonl: 'ndjson', txt: 'table' }[ending] ?? ending
  return FORMATS.find((format) => format === found)
}
