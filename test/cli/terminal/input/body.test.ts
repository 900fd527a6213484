import { expect } from 'chai'
import { has, put, valueAt } from '../../../../src/cli/terminal/input/body.js'
import type { JsonObject } from '../../../../src/schema/json.js'

describe('the value at a path', () => {
  it('is set beside existing values, creating the objects on the way', () => {
    const body: JsonObject = { card: { expiry: '12/39' }, amount: 5 }
    put(body, ['card', 'card_number'], '4242')
    put(body, ['amount', 'inner'], 1)
    expect(body).to.deep.equal({ card: { expiry: '12/39', card_number: '4242' }, amount: { inner: 1 } })
  })

  it('is never set on inherited properties', () => {
    const body: JsonObject = {}
    put(body, ['attrs', '__proto__', 'isForged'], true)
    expect(Object.hasOwn(Object.prototype, 'isForged')).to.equal(false)
    expect(JSON.stringify(body)).to.equal('{"attrs":{"__proto__":{"isForged":true}}}')
    expect(valueAt({}, ['toString'])).to.equal(undefined)
    expect(has({}, ['__proto__'])).to.equal(false)
  })
})
