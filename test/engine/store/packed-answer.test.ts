import { hash } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { packAnswer, unpackAnswer } from '../../../src/engine/store/database/packed-answer.js'
import {
  USUAL_ANSWER,
  USUAL_BARE_PAYMENT,
  USUAL_DECLINE,
  USUAL_PAYMENT,
} from '../../../src/resources/usual-answer.js'

describe('a packed answer', () => {
  it('comes back to the byte', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ unit: 'grapheme' })), (text) => {
        expect(unpackAnswer(packAnswer(text))).to.equal(text)
      }),
    )
  })

  it('comes back to the byte when it is a long list', () => {
    const text = `[${Array.from({ length: 1_000 }, () => USUAL_ANSWER).join(',')}]`
    expect(unpackAnswer(packAnswer(text))).to.equal(text)
    expect(packAnswer(text).length).to.be.below(text.length / 40)
  })

  for (const [number, usual] of [
    [2, USUAL_PAYMENT],
    [3, USUAL_BARE_PAYMENT],
    [4, USUAL_DECLINE],
  ] as const)
    it(`comes back to the byte when it is of usual form ${number}, whatever it says`, () => {
      const value = fc.oneof(fc.json(), fc.constantFrom('', 'null', 'a', '"fee":', '"b\\u2028🍵'))
      const values = fc.array(value, { minLength: 40, maxLength: 40 })
      fc.assert(
        fc.property(values, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (given, isUsual) => {
          let index = 0
          const text = usual.replace(/<(.*?)>/g, (_, mostly) =>
            isUsual[++index] ? mostly : (given[index] ?? mostly),
          )
          expect(unpackAnswer(packAnswer(text))).to.equal(text)
        }),
      )
      const plain = usual.replace(/<(.*?)>/g, '$1')
      expect(packAnswer(plain)[0]).to.equal(number)
      expect(unpackAnswer(packAnswer(plain))).to.equal(plain)
    })

  it('of a usual form does not grow, and is refused when it is cut', () => {
    let id = 0
    const text = USUAL_PAYMENT.replace(/<>/g, () => `${'0'.repeat(21)}${id++ % 4}`)
    const packed = packAnswer(text)
    expect(packed.length).to.be.below(text.length / 5)
    for (let length = 1; length < packed.length; length++)
      expect(() => unpackAnswer(packed.subarray(0, length))).to.throw('unexpected end')
  })

  it('keeps control characters, which no JSON has', () => {
    const text = USUAL_PAYMENT.replace(/<(.*?)>/g, '\u0001$1\u0000')
    expect(unpackAnswer(packAnswer(text))).to.equal(text)
  })

  it('points into a text that never changes', () => {
    expect(hash('sha256', USUAL_ANSWER)).to.equal(
      '3d49481faf04d2d978c9d2d70c7cc3aac2ecfef232c170031c24165c6b9c3585',
    )
    expect(hash('sha256', USUAL_PAYMENT + USUAL_BARE_PAYMENT + USUAL_DECLINE)).to.equal(
      '89d46e6766dde0f44cf4bdd7bc1fd9f2810c5eb9f95022bb456ef2e2124591fb',
    )
    const packed = 'AUMqLAyJKC1qAQ=='
    expect(unpackAnswer(Buffer.from(packed, 'base64'))).to.equal(
      '{"id":"txn_1","object":"transaction","amount":1}',
    )
  })

  it('is refused when it is packed in an unknown way, or broken', () => {
    const packed = packAnswer('{"id":"txn_1"}')
    expect(() => unpackAnswer(Buffer.concat([Buffer.of(9), packed.subarray(1)]))).to.throw('unknown way')
    expect(() => unpackAnswer(Buffer.alloc(0))).to.throw('unknown way')
    expect(() => unpackAnswer(packed.subarray(0, -1))).to.throw('unexpected end')
  })
})
