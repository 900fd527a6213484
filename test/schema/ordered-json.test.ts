import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import fc from 'fast-check'
import { canonicalText, orderedJson } from '../../src/schema/ordered-json.js'

/** Records of rows are found by these texts, so none may change. */
describe('the order for comparing the content of rows', () => {
  it('sorts names at every depth', () => {
    const value = { b: [{ d: 1, c: 2 }, 'x'], a: { z: null, y: { n: true, m: 0.5 } } }
    const text = '{"a":{"y":{"m":0.5,"n":true},"z":null},"b":[{"c":2,"d":1},"x"]}'
    expect(JSON.stringify(orderedJson(value))).to.equal(text)
  })

  it('sorts numeric names as numbers, like every object of JavaScript', () => {
    expect(JSON.stringify(orderedJson({ b: 1, 10: 2, 9: 3, a: 4 }))).to.equal('{"9":3,"10":2,"a":4,"b":1}')
  })

  it('does not copy a value whose names are already sorted', () => {
    const value = { a: [1, { b: 2, c: 3 }], d: null }
    expect(orderedJson(value)).to.equal(value)
  })
})

describe('the text of validated input', () => {
  it('is the same in any order of names, with undefined attributes omitted', () => {
    const text = canonicalText({ b: [{ d: 'é"', c: 2 }], a: { z: null, y: true } })
    expect(canonicalText({ a: { y: true, z: null }, b: [{ c: 2, d: 'é"' }], e: undefined })).to.equal(text)
  })

  it('differs for different input', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const isSame = isDeepStrictEqual(plain(one), plain(other))
        expect(canonicalText(plain(one)) === canonicalText(plain(other))).to.equal(isSame)
      }),
    )
    const alike = [{ a: '1' }, { a: 1 }, { 'a:1,b': 2 }, { a: 1, b: 2 }, [1, 2], ['1,2'], 'null', null, []]
    expect(new Set(alike.map(canonicalText)).size).to.equal(alike.length)
  })
})

/** JSON without negative zero, which equals zero. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
