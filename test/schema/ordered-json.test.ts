import { expect } from 'chai'
import { orderedJson } from '../../src/schema/ordered-json.js'

/** The notes of rows are found by these texts: none may change. */
describe('the order in which the content of rows is compared', () => {
  it('is that of the names, at every depth', () => {
    const value = { b: [{ d: 1, c: 2 }, 'x'], a: { z: null, y: { n: true, m: 0.5 } } }
    const text = '{"a":{"y":{"m":0.5,"n":true},"z":null},"b":[{"c":2,"d":1},"x"]}'
    expect(JSON.stringify(orderedJson(value))).to.equal(text)
  })

  it('is that of numbers where names are numbers, as in every object', () => {
    expect(JSON.stringify(orderedJson({ b: 1, 10: 2, 9: 3, a: 4 }))).to.equal('{"9":3,"10":2,"a":4,"b":1}')
  })

  it('copies nothing that is in order', () => {
    const value = { a: [1, { b: 2, c: 3 }], d: null }
    expect(orderedJson(value)).to.equal(value)
  })
})
