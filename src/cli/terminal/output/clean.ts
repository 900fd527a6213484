import type { Format } from './format.js'
import type { Sink } from './sink.js'

/** Stored text on one line: control characters, and those that change the direction of text, become blanks. */
export function cleanText(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
}

/** The same for several lines, which stay lines. */
export function cleanLines(text: string): string {
  return text.split('\n').map(cleanText).join('\n')
}

/**
 * Cleans an output for a terminal. JSON keeps its value: control characters are escaped. In CSV, control characters and tabs
 * become blanks. Tables consist of clean cells, and may have colours.
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

/** A sink that cleans what is written to a terminal. */
export function cleanSink(sink: Sink, format: Format): Sink {
  return {
    write: async (text) => await sink.write(cleanOutput(text, format)),
    close: async (isWhole) => await sink.close(isWhole),
  }
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
