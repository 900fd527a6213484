import { expect } from 'chai'
import fc from 'fast-check'
import { isMask, lastDigits, maskDigits } from '../../src/schema/wire.js'

describe('masks of numbers', () => {
  const cases = [
    ['4242424242424242', 'xxxxxxxxxxxx4242'],
    ['1234567890', 'xxxxxx7890'],
    ['021001808', 'xxxxx1808'],
    ['12345678', 'xxxx5678'],
    ['1234567', 'xxxx567'],
    ['12345', 'xxx45'],
    ['1234', 'xx34'],
  ] as const
  for (const [digits, mask] of cases) {
    it(`show ${digits} as ${mask}`, () => {
      expect(maskDigits(digits)).to.equal(mask)
    })
  }

  it('keep the length, hide at least half, and are recognized when a client sends them back', () => {
    const numbers = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 4, maxLength: 19 })
    fc.assert(
      fc.property(numbers, (digits) => {
        const mask = maskDigits(digits)
        expect(mask).to.have.length(digits.length)
        expect(lastDigits(digits).length).to.be.at.most(Math.min(4, digits.length / 2))
        expect(digits.endsWith(lastDigits(digits)) && isMask(mask)).to.equal(true)
      }),
    )
  })
})
