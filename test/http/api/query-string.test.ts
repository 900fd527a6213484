import { expect } from 'chai'
import fc from 'fast-check'
import { ApiError } from '../../../src/engine/core/request/api-error.js'
import { parseQueryString } from '../../../src/http/api/request-target.js'

describe('a query string', () => {
  it('keeps names, operators and order', () => {
    expect(
      parseQueryString('amount=%3E10&amount=<20&payment_method[card][card_brand]=visa', 10),
    ).to.deep.equal([
      ['amount', '>10'],
      ['amount', '<20'],
      ['payment_method[card][card_brand]', 'visa'],
    ])
  })

  it('reads + and %20 as blanks, and keeps = and ? in values', () => {
    expect(parseQueryString('a=x+y%20z&b=?*c=d*', 10)).to.deep.equal([
      ['a', 'x y z'],
      ['b', '?*c=d*'],
    ])
  })

  it('drops empty parts and stray question marks', () => {
    expect(parseQueryString('&&?a=1&&', 10)).to.deep.equal([['a', '1']])
    expect(parseQueryString('?', 10)).to.deep.equal([])
  })

  it('refuses malformed percent encoding and what is not UTF-8', () => {
    for (const text of ['a=%', 'a=%zz', '%E0%A4%A=1', 'a=%ff']) {
      expect(() => parseQueryString(text, 10), text).to.throw(ApiError, 'malformed percent encoding')
    }
  })

  it('refuses more parameters than allowed', () => {
    expect(() => parseQueryString('a=1&b=2&c=3', 2)).to.throw(ApiError, 'At most 2 parameters')
  })

  it('reads everything that URLSearchParams writes', () => {
    const texts = fc.array(
      fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' })),
    )
    fc.assert(
      fc.property(texts, (pairs) => {
        const written = new URLSearchParams(pairs).toString()
        expect(parseQueryString(written, 1_000)).to.deep.equal(pairs)
      }),
    )
  })
})
