import { expect } from 'chai'
import fc from 'fast-check'
import { ApiError } from '../../../src/engine/core/request/api-error.js'
import { LIMITS, type Limits } from '../../../src/http/api/http-limits.js'
import { parseJson } from '../../../src/http/api/parse-json.js'

const read = (text: string, limits: Partial<Limits> = {}) => parseJson(text, { ...LIMITS, ...limits })

describe('a JSON body', () => {
  it('accepts all valid JSON', () => {
    const forbidden = /__proto__|constructor|prototype/
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 5 }).filter((text) => !forbidden.test(text)),
        (text) => {
          expect(read(text)).to.deep.equal(JSON.parse(text))
        },
      ),
    )
  })

  it('is refused if invalid, without repeating it', () => {
    for (const text of ['{', '{"a":}', "{'a':1}", 'NaN', '{"card_number":4242424242424242', 'undefined']) {
      expect(() => read(text), text).to.throw(ApiError, 'The body is not valid JSON')
    }
    expect(() => read('4242424242424242x'))
      .to.throw()
      .with.property('message')
      .that.does.not.contain('4242')
  })

  it('turns numbers in attrs that would lose precision into infinity, which every attribute refuses', () => {
    const text = '{"amount":10.10,"attrs":{"rate":0.1000000000000000055}}'
    expect(read(text)).to.deep.equal({ amount: 10.1, attrs: { rate: Number.POSITIVE_INFINITY } })
  })

  it('refuses nesting that is too deep, however deep it is', () => {
    expect(read('[[1]]', { depth: 2 })).to.deep.equal([[1]])
    expect(() => read('[[[1]]]', { depth: 2 })).to.throw(ApiError, 'nested deeper than 2 levels')
    expect(() => read('['.repeat(200_000) + ']'.repeat(200_000))).to.throw(ApiError, 'nested deeper')
  })

  it('refuses more names than allowed, in one object or in total', () => {
    const object = '{"a":1,"b":2}'
    expect(read(`[${object},${object}]`, { objectNames: 2, names: 4 })).to.have.length(2)
    expect(() => read(object, { objectNames: 1 })).to.throw(
      ApiError,
      'An object in the body has more than 1 names',
    )
    expect(() => read(`[${object},{"c":${object}}]`, { names: 4 })).to.throw(
      ApiError,
      'The body has more than 4 names',
    )
  })

  it('refuses a duplicate name in one object, in any spelling', () => {
    const twice = [
      '{"a":1,"a":1}',
      '{"a":{"b":1},"a":{"c":2}}',
      '[{"b":"x:\\"y"},{"a":[],"c":{"e":1},"a":null}]',
      '{"\\u0061":1,"a":2}',
      '{"c":"\\\\","a":1,"b":":","a" : 2}',
    ]
    for (const text of twice)
      expect(() => read(text), text).to.throw(ApiError, 'An object in the body has the name a twice')
    const once = '{"a":{"a":"http://b:1"},"b":[{"a":1},{"a":"\\"a\\":"}],"c":"\\\\"}'
    expect(read(once)).to.deep.equal(JSON.parse(once))
  })

  it('refuses duplicate names exactly if an object of the text has them', () => {
    // No name is a backslash, because JSON.parse of Node 24 confuses the name `"` with it.
    const name = fc.constantFrom('a', 'b', ':', '"', '{', '}')
    const word = fc.constantFrom('a', ':', '"', '\\', '{')
    const { object } = fc.letrec<{ object: Written; value: Written }>((tie) => ({
      object: fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map((members) => ({
        text: `{${members.map(([key, { text }]) => `${JSON.stringify(key)} :${text}`).join()}}`,
        isRepeated:
          new Set(members.map(([key]) => key)).size < members.length ||
          members.some(([, { isRepeated }]) => isRepeated),
      })),
      value: fc.oneof(
        { maxDepth: 3 },
        word.map((text) => ({ text: JSON.stringify(text), isRepeated: false })),
        tie('object'),
      ),
    }))
    fc.assert(
      fc.property(object, ({ text, isRepeated }) => {
        if (isRepeated) expect(() => read(text), text).to.throw(ApiError, 'twice')
        else expect(read(text)).to.deep.equal(JSON.parse(text))
      }),
    )
  })

  it('refuses names that reach prototypes', () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"b":{"constructor":1}}', '[{"prototype":1}]']) {
      expect(() => read(text), text).to.throw(ApiError, 'forbidden attribute')
    }
  })
})

/** A JSON text, and whether one of its objects has a duplicate name. */
interface Written {
  readonly text: string
  readonly isRepeated: boolean
}
