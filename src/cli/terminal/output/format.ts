/** Output formats: for people, as HTTP answers, one object per line, for spreadsheets. */
export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const

export type Format = (typeof FORMATS)[number]

/** The format that a file's name implies; undefined if none. */
export function formatOfFile(name: string): Format | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(name) ?? []
  const found = ending.toLowerCase() === 'jsonl' ? 'ndjson' : ending.toLowerCase()
  return FORMATS.find((format) => format === found)
}
