import { expect } from 'chai'
import { UsageError } from '../../../src/cli/terminal/failure/failure.js'
import { readAddressText } from '../../../src/cli/terminal/input/address-text.js'

describe('the public address of pages', () => {
  it('is http or https, with or without a path, and ends without a slash', () => {
    const read = ['https://pay.example.com/', 'HTTP://Pay.Example.com:8080', 'https://example.com/shop//']
    expect(read.map(readAddressText)).to.deep.equal([
      'https://pay.example.com',
      'http://pay.example.com:8080',
      'https://example.com/shop',
    ])
  })

  it('is refused in any other form', () => {
    for (const text of [
      '',
      'pay.example.com',
      'localhost:4242',
      'ftp://example.com',
      'https://ada@example.com',
      'https://example.com/?a=1',
      'https://example.com/#top',
      'https://example.com /',
    ])
      expect(() => readAddressText(text), text).to.throw(UsageError, 'Expected an address')
  })
})
