import { expect } from 'chai'
import fc from 'fast-check'
import { ApiError } from '../../../src/engine/core/request/errors.js'
import { parseJson } from '../../../src/http/api/json.js'

describe('JSON body', () => {
  it('reads whatever JSON is', () => {
    const forbidden = /__proto__|constructor|prototype/
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 5 }).filter((text) => !forbidden.test(text)),
        (text) => {
          expect(parseJson(text, 32)).to.deep.equal(JSON.parse(text))
        },
      ),
    )
  })

  it('refuses what is broken without repeating it', () => {
    for (const text of ['{', '{"a":}', "{'a':1}", 'NaN', '{"card_number":4242424242424242', 'undefined']) {
      expect(() => parseJson(text, 32), text).to.throw(ApiError, 'The body is not valid JSON')
    }
    expect(() => parseJson('4242424242424242x', 32))
      .to.throw()
      .with.property('message')
      .that.does.not.contain('4242')
  })

  it('refuses nesting that is too deep, however deep', () => {
    expect(parseJson('[[1]]', 2)).to.deep.equal([[1]])
    expect(() => parseJson('[[[1]]]', 2)).to.throw(ApiError, 'nested deeper than 2 levels')
    expect(() => parseJson('['.repeat(200_000) + ']'.repeat(200_000), 32)).to.throw(ApiError, 'nested deeper')
  })

  it('refuses names that reach prototypes', () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"b":{"constructor":1}}', '[{"prototype":1}]']) {
      expect(() => parseJson(text, 32), text).to.throw(ApiError, 'forbidden attribute')
    }
  })
})
