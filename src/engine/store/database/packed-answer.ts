import { deflateRawSync, inflateRawSync } from 'node:zlib'
import {
  USUAL_ANSWER,
  USUAL_BARE_PAYMENT,
  USUAL_DECLINE,
  USUAL_PAYMENT,
} from '../../../resources/usual-answer.js'
import { UsualForm } from './usual-form.js'

const DICTIONARY = Buffer.from(USUAL_ANSWER)

/**
 * How the bytes behind it are packed: their first one, so that what is stored can be read when another way comes. What is
 * of a usual form is written as its values, which takes a tenth of the time of deflating it.
 */
const DEFLATED = 1
const FORMS: readonly (readonly [number, UsualForm])[] = [
  [2, new UsualForm(USUAL_PAYMENT)],
  [3, new UsualForm(USUAL_BARE_PAYMENT)],
  [4, new UsualForm(USUAL_DECLINE)],
]

/** Small tables, since most answers are short: making them takes longer than packing. */
const OPTIONS = { dictionary: DICTIONARY, level: 3, memLevel: 3, windowBits: 13, chunkSize: 2_048 }

/** A stored answer's JSON in a tenth of its size; it comes back to the byte. */
export function packAnswer(text: string): Buffer {
  for (const [number, form] of FORMS) {
    const values = form.write(text)
    if (values !== undefined) return Buffer.from(String.fromCharCode(number) + values)
  }
  return Buffer.concat([Buffer.of(DEFLATED), deflateRawSync(text, OPTIONS)])
}

/** The JSON of a packed answer. Throws when the bytes are none. */
export function unpackAnswer(packed: Buffer): string {
  const [number] = packed
  if (number === DEFLATED) return inflateRawSync(packed.subarray(1), { dictionary: DICTIONARY }).toString()
  const [, form] = FORMS.find(([each]) => each === number) ?? []
  if (!form) throw new Error('The stored answer is packed in an unknown way')
  return form.read(packed.toString('utf8', 1))
}
