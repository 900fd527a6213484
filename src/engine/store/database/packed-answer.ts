import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { USUAL_ANSWER } from '../../../resources/usual-answer.js'

const DICTIONARY = Buffer.from(USUAL_ANSWER)

/** How the bytes behind it are packed: their first one, so that what is stored can be read when another way comes. */
const DEFLATED = 1

/** Small tables, since most answers are short: making them takes longer than packing. */
const OPTIONS = { dictionary: DICTIONARY, level: 3, memLevel: 3, windowBits: 13, chunkSize: 2_048 }

/** A stored answer's JSON in a tenth of its size; it comes back to the byte. */
export function packAnswer(text: string): Buffer {
  return Buffer.concat([Buffer.of(DEFLATED), deflateRawSync(text, OPTIONS)])
}

/** The JSON of a packed answer. Throws when the bytes are none. */
export function unpackAnswer(packed: Buffer): string {
  if (packed[0] !== DEFLATED) throw new Error('The stored answer is packed in an unknown way')
  return inflateRawSync(packed.subarray(1), { dictionary: DICTIONARY }).toString()
}
