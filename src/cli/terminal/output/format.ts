/** Forms of the output: for people, as HTTP answers, an object a line, for spreadsheets. */
export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const

export type Format = (typeof FORMATS)[number]

/** What the name of a file says of its form; nothing where it says nothing. */
export function formatOfFile(name: string): Format | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(name) ?? []
  const found = ending.toLowerCase() === 'jsonl' ? 'ndjson' : ending.toLowerCase()
  return FORMATS.find((format) => format === found)
}
