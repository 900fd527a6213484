import { widthOf } from './width.js'

/**
 * Wraps a text to lines of `width` columns between words; only a word that is longer than a line is broken.
 * Every line but the first is shorter by `hanging` columns, for its indent.
 */
export function wrapped(text: string, width: number, hanging = 0): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((long) => broken(long, Math.max(1, width - hanging)))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer) > width - (lines.length > 0 ? hanging : 0)) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

/**
 * Wraps a text between words, if every word fits into a line. Otherwise returns one line, so that a long
 * word such as an address can be copied.
 */
export function wrappedBetween(text: string, width: number): string[] {
  return text.split(' ').every((word) => widthOf(word) <= width) ? wrapped(text, width) : [text]
}

function broken(word: string, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece !== '' && widthOf(piece + character) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...pieces, piece]
}
