import type { Format } from './format.js'
import type { Sink } from './sink.js'

/** Stored text on one line: what would draw on a terminal, or turn the direction of what follows, is a blank. */
export function cleanText(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
}

/**
 * An output for a terminal. JSON keeps its value, with escapes for what JSON allows to stand as it is; the cells of CSV
 * lose control characters and tabs to blanks. Tables are of clean cells already, and may have colours.
 */
export function cleanOutput(text: string, format: Format): string {
  switch (format) {
    case 'json':
    case 'ndjson':
      return text.replace(/[\u007f-\u009f\p{Bidi_Control}]/gu, escapeOf)
    case 'csv':
      return text.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ')
    case 'table':
      return text
  }
}

/** A terminal that is written to in a format, clean. */
export function cleanSink(sink: Sink, format: Format): Sink {
  return {
    write: async (text) => await sink.write(cleanOutput(text, format)),
    close: async (isWhole) => await sink.close(isWhole),
  }
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
