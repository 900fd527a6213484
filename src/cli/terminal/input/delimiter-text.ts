import { UsageError } from '../failure/failure.js'

/** Reads the delimiter of a CSV file: one character, or the word `tab`. Throws a `UsageError`. */
export function readDelimiterText(text: string): string {
  if (text === 'tab' || text === '\\t') return '\t'
  if (/^[^"\r\n]$/.test(text)) return text
  throw new UsageError(`Expected one character or tab as --delimiter, but received: ${text}`)
}
