import { hash } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { packAnswer, unpackAnswer } from '../../../src/engine/store/database/packed-answer.js'
import { USUAL_ANSWER } from '../../../src/resources/usual-answer.js'

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

  it('points into a text that never changes', () => {
    expect(hash('sha256', USUAL_ANSWER)).to.equal(
      '3d49481faf04d2d978c9d2d70c7cc3aac2ecfef232c170031c24165c6b9c3585',
    )
    const packed = 'AUMqLAyJKC1qAQ=='
    expect(unpackAnswer(Buffer.from(packed, 'base64'))).to.equal(
      '{"id":"txn_1","object":"transaction","amount":1}',
    )
  })

  it('is refused when it is packed in an unknown way, or broken', () => {
    const packed = packAnswer('{"id":"txn_1"}')
    expect(() => unpackAnswer(Buffer.concat([Buffer.of(2), packed.subarray(1)]))).to.throw('unknown way')
    expect(() => unpackAnswer(Buffer.alloc(0))).to.throw('unknown way')
    expect(() => unpackAnswer(packed.subarray(0, -1))).to.throw('unexpected end')
  })
})
