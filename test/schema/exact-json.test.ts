import { expect } from 'chai'
import fc from 'fast-check'
import { parseExactJson } from '../../src/schema/exact-json.js'

describe('exact JSON', () => {
  it('reads everything that JSON writes', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(parseExactJson(text)).to.deep.equal(JSON.parse(text))
      }),
    )
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }), (number) => {
        expect(parseExactJson(JSON.stringify({ a: number }))).to.deep.equal({ a: number })
      }),
    )
  })

  it('turns numbers that lose precision into infinity', () => {
    for (const written of [
      '0.1000000000000000055',
      '1e400',
      '1e-400',
      '12345678901234567e-3',
      '-0.30000000000000000001',
    ])
      expect(parseExactJson(`{"a":[${written}]}`), written).to.satisfy(
        ({ a: [number] }: { a: number[] }) => Math.abs(Number(number)) === Number.POSITIVE_INFINITY,
      )
  })

  it('accepts zeros at either end, exponents, and texts that look like numbers', () => {
    for (const written of [
      '0.10000000000000000000',
      '100000000000000000000.0e-20',
      '1.50e+3',
      '0.30000000000000004',
      '-0.0',
    ])
      expect(parseExactJson(written), written).to.equal(Number(written))
    const text = '{"a\\"":"0.1000000000000000055 {","b":"[0.1000000000000000055"}'
    expect(parseExactJson(text)).to.deep.equal(JSON.parse(text))
  })

  it('checks only the named attribute, at any depth', () => {
    const long = '0.1000000000000000055'
    const at = (text: string) => parseExactJson(text, { attribute: 'attrs' })
    expect(at(`{"amount":${long}}`)).to.deep.equal({ amount: 0.1 })
    expect(at(`{"attrs":{"a":1},"amount":${long}}`)).to.deep.equal({ attrs: { a: 1 }, amount: 0.1 })
    expect(at(`[{"x":{"attrs" : {"a":[{"b":${long}}]}}},{"attrs":2,"c":${long}}]`)).to.deep.equal([
      { x: { attrs: { a: [{ b: Number.POSITIVE_INFINITY }] } } },
      { attrs: 2, c: 0.1 },
    ])
    expect(at(`{"attrs":${long}}`)).to.deep.equal({ attrs: Number.POSITIVE_INFINITY })
  })

  it('refuses broken JSON as JSON.parse does', () => {
    expect(() => parseExactJson('{"a":0.1000000000000000055')).to.throw(SyntaxError)
  })
})
