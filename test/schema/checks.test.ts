import { expect } from 'chai'
import fc from 'fast-check'
import { isCardNumber, isRoutingNumber } from '../../src/schema/checks.js'

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((list) => list.join(''))

describe('check digits', () => {
  it('accept well-known card numbers', () => {
    for (const number of ['4242424242424242', '4111111111111111', '378282246310005', '6011111111111117']) {
      expect(isCardNumber(number), number).to.equal(true)
    }
  })

  it('accept the test numbers that decline, and no similar ones', () => {
    for (let last = 9900; last <= 9999; last++)
      expect(isCardNumber(`411111111111${last}`), String(last)).to.equal(true)
    expect(isCardNumber('4111111111119800')).to.equal(false)
    expect(isCardNumber('41111111111199000')).to.equal(false)
  })

  it('complete a card number by exactly one last digit', () => {
    fc.assert(
      fc.property(digits(14), (start) => {
        const good = [...'0123456789'].filter((last) => isCardNumber(start + last))
        expect(good).to.have.length(1)
      }),
    )
  })

  it('detect any single mistyped digit of a card number', () => {
    const cases = fc.tuple(digits(15), fc.nat(15), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(cases, ([start, at, shift]) => {
        const last = [...'0123456789'].find((digit) => isCardNumber(start + digit)) ?? ''
        const number = start + last
        const wrong = (Number(number.charAt(at)) + shift) % 10
        const mistyped = number.slice(0, at) + wrong + number.slice(at + 1)
        fc.pre(!mistyped.startsWith('41111111111199') && !number.startsWith('41111111111199'))
        expect(isCardNumber(mistyped)).to.equal(false)
      }),
    )
  })

  it('accept real routing numbers and detect any single mistyped digit', () => {
    for (const number of ['021000021', '011401533', '091000019'])
      expect(isRoutingNumber(number), number).to.equal(true)
    const cases = fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(cases, ([at, shift]) => {
        const number = '021000021'
        const wrong = (Number(number.charAt(at)) + shift) % 10
        expect(isRoutingNumber(number.slice(0, at) + wrong + number.slice(at + 1))).to.equal(false)
      }),
    )
  })

  it('refuse texts that are not digits of the right length', () => {
    for (const text of ['', '02100002', '0210000210', '02100002x', '000000000']) {
      expect(isRoutingNumber(text), text).to.equal(false)
    }
    for (const text of ['', '4242-4242', 'x']) expect(isCardNumber(text), text).to.equal(false)
  })
})
