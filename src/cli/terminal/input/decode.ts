/** Encodings of input files. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const

export type Encoding = (typeof ENCODINGS)[number]

/**
 * Encoding of a file: from its byte order mark, or else the given encoding, or else detected from zeros in the first
 * two bytes.
 */
export function encodingOf(head: Uint8Array, given: Encoding | undefined): Encoding {
  const [first, second, third] = head
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (given) return given
  if (first === 0 && second !== 0) return 'utf-16be'
  return second === 0 && first !== 0 ? 'utf-16le' : 'utf-8'
}

/** Whether a file begins with a byte order mark. */
export function hasMark(head: Uint8Array): boolean {
  const [first, second, third] = head
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return isWide || (first === 0xef && second === 0xbb && third === 0xbf)
}

/** Decodes bytes, without the byte order mark. Invalid bytes become `BROKEN`. */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncIterable<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** Replacement for bytes that are invalid in the encoding. */
export const BROKEN = '\ufffd'

/** Text of a whole file in its detected encoding, without the byte order mark. */
export function decodedText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes, undefined)).decode(bytes)
}
