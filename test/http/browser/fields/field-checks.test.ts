import { expect } from 'chai'
import fc from 'fast-check'
import {
  brandOf,
  groupDigits,
  problemOf,
  slashExpiry,
} from '../../../../src/http/browser/fields/field-checks.js'
import { cardBrand } from '../../../../src/schema/card-brand.js'
import { isCardNumber, isRoutingNumber } from '../../../../src/schema/checks.js'

const DIGITS = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 19 })
  .map((all) => all.join(''))
const IN_2030 = Date.UTC(2030, 2, 31, 23)

describe('field checks in a browser', () => {
  it('group the digits of a card number like its brand', () => {
    for (const [typed, shown] of [
      ['4242', '4242'],
      ['42424', '4242 4'],
      ['4242424242424242', '4242 4242 4242 4242'],
      ['4242-4242 42', '4242 4242 42'],
      ['371449635398431', '3714 496353 98431'],
      ['5555555555554444', '5555 5555 5555 4444'],
      ['no number', 'no number'],
      ['', ''],
    ] as const)
      expect(groupDigits(typed)).to.equal(shown)
  })

  it('show the brand as soon as it is certain', () => {
    for (const [typed, brand] of [
      ['4', 'Visa'],
      ['37', 'American Express'],
      ['55', 'Mastercard'],
      ['2720 99', 'Mastercard'],
      ['2721', undefined],
      ['6011', 'Discover'],
      ['9', undefined],
      ['', undefined],
    ] as const)
      expect(brandOf(typed), typed).to.equal(brand)
  })

  it('show the same brand as the service', () => {
    const names = {
      visa: 'Visa',
      american_express: 'American Express',
      mastercard: 'Mastercard',
      discover: 'Discover',
      opticard: undefined,
    }
    fc.assert(
      fc.property(fc.integer({ min: 200_000, max: 699_999 }).map(String), (lead) => {
        const brand = cardBrand(lead.padEnd(16, '0'))
        expect(brandOf(lead)).to.equal(brand && names[brand])
      }),
    )
  })

  it('put a slash after the month of an expiry', () => {
    for (const [typed, shown] of [
      ['1', '1'],
      ['12', '12/'],
      ['12//', '12/'],
      ['5', '05/'],
      ['0429', '04/29'],
      ['04/29', '04/29'],
      ['13', '13'],
    ] as const)
      expect(slashExpiry(typed)).to.equal(shown)
  })

  it('validate check digits of cards and routing numbers like the service', () => {
    fc.assert(
      fc.property(DIGITS, (digits) => {
        expect(problemOf('card_number', digits, IN_2030)).to.equal(isCardNumber(digits) ? undefined : 'wrong')
        const nine = digits.slice(0, 9)
        expect(problemOf('routing_number', nine, IN_2030)).to.equal(
          isRoutingNumber(nine) ? undefined : 'wrong',
        )
      }),
    )
    expect(problemOf('card_number', '4111111111119904', IN_2030)).to.equal(undefined)
    expect(problemOf('routing_number', '021000021', IN_2030)).to.equal(undefined)
  })

  it('report a number that cannot be right, and no other', () => {
    for (const [name, typed, problem] of [
      ['card_number', '4242 4242 4242 4242', undefined],
      ['card_number', '4242 4242 4242 4241', 'wrong'],
      ['card_number', 'card', 'wrong'],
      ['card_code', '12', 'wrong'],
      ['card_code', '1234', undefined],
      ['routing_number', '021000022', 'wrong'],
      ['account_number', '12a', 'wrong'],
      ['account_number', '12-34', undefined],
      ['amount', '1,000.50', undefined],
      ['amount', '0.00', 'wrong'],
      ['amount', '10,50', 'wrong'],
      ['expiry', '13/39', 'wrong'],
      ['expiry', '3/2030', undefined],
      ['expiry', '02/30', 'past'],
      ['account_holder', 'Ada', undefined],
      ['card_number', ' ', undefined],
    ] as const)
      expect(problemOf(name, typed, IN_2030), `${name} ${typed}`).to.equal(problem)
  })

  it('accept a card through the last hour of its month anywhere on earth', () => {
    const later = (hours: number) => Date.UTC(2030, 3, 1, hours)
    expect(problemOf('expiry', '03/30', later(11))).to.equal(undefined)
    expect(problemOf('expiry', '03/30', later(12))).to.equal('past')
  })
})
