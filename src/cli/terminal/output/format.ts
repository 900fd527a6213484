/** Output formats: a table for people, JSON as in HTTP answers, one JSON object per line, and CSV for spreadsheets. */
export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const

export type Format = (typeof FORMATS)[number]

/** Formats of files, for error messages. */
export const WRITABLE = 'files are written as .csv, .json, .ndjson, or .txt for a table'

/** Endings of formats that are not supported: the file's content would not match its name. */
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

/** Format for the ending of a file's name; undefined for an unknown ending, `other` for an unsupported format. */
export function formatOfFile(name: string): Format | 'other' | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? []
  if (OTHERS.includes(ending)) return 'other'
  const found = { jsonl: 'ndjson', txt: 'table' }[ending] ?? ending
  return FORMATS.find((format) => format === found)
}
