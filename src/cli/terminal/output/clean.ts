import type { Format } from './format.js'
import type { Sink } from './sink.js'

/** Characters that move the cursor, change the direction of text, or begin a line for some terminals. */
const UNSEEN = String.raw`\p{Cc}\p{Bidi_Control}\u2028\u2029`
const RUN = new RegExp(`[${UNSEEN}]+`, 'gu')
const IN_CSV = new RegExp(`(?!\\n)[${UNSEEN}]`, 'gu')

/** Stored text on one line: invisible characters with effects become blanks. */
export function cleanText(text: string): string {
  return text.replace(RUN, ' ')
}

/** Several lines of stored text, each cleaned. */
export function cleanLines(text: string): string {
  return text.split('\n').map(cleanText).join('\n')
}

/**
 * Cleans an output for a terminal. JSON keeps its value: control characters are escaped. In CSV, control characters
 * and tabs become blanks. Tables consist of clean cells, and may have colours.
 */
export function cleanOutput(text: string, format: Format): string {
  switch (format) {
    case 'json':
    case 'ndjson':
      return text.replace(/[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu, escapeOf)
    case 'csv':
      return text.replace(IN_CSV, ' ')
    case 'table':
      return text
  }
}

/** A sink for a terminal that cleans the written text. */
export function cleanSink(sink: Sink, format: Format): Sink {
  return {
    write: async (text) => await sink.write(cleanOutput(text, format)),
    close: async (isWhole) => await sink.close(isWhole),
  }
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
