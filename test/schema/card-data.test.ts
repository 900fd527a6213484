import { expect } from 'chai'
import fc from 'fast-check'
import { makeKey } from '../../src/domain/access/keys/secret.js'
import { timeOrderedIds } from '../../src/platform/ids.js'
import { cardBrand } from '../../src/schema/card-brand.js'
import { hasCardNumber, isCardDataName, maskCardNumbers } from '../../src/schema/card-data.js'
import { isCardNumber } from '../../src/schema/checks.js'

const digits = (minLength: number, maxLength = minLength) =>
  fc.array(fc.nat(9), { minLength, maxLength }).map((list) => list.join(''))

const separator = fc.constantFrom('', ' ', '-', ' - ', '\u00a0', '\u2013', '\u200b')

/** Card numbers of every brand. */
const cardNumber = fc
  .constantFrom(
    ['4', 16],
    ['51', 16],
    ['55', 16],
    ['2221', 16],
    ['2720', 16],
    ['6011', 16],
    ['65', 16],
    ['34', 15],
    ['37', 15],
    ['6391', 16],
  )
  .chain(([start, length]) =>
    digits(Number(length) - String(start).length - 1).map((rest) => `${start}${rest}`),
  )
  .map((start) => start + [...'0123456789'].find((last) => isCardNumber(start + last)))

const bytes = (list: readonly number[]) => ({
  bytes: (count: number) => Uint8Array.from({ length: count }, (_, at) => list[at % list.length] ?? 0),
})

describe('the detection of card data', () => {
  it('finds a number in any notation of its digits', () => {
    for (const text of [
      '4242424242424242',
      '4242 4242 4242 4242',
      '4242-4242-4242-4242',
      '3782 822463 10005',
      '42 42 42 42 42 42 42 42',
      'card:4242424242424242',
      'PAN4242424242424242',
      '4242 4242 4242 4242 12/27 123',
      '4242424242424242 1227',
      '2026 4242424242424242 5',
      '4242\n4242\n4242\n4242',
      '４２４２４２４２４２４２４２４２',
      '%B4242424242424242^PARK/ADA^2712',
    ])
      expect(hasCardNumber(text), text).to.equal(true)
  })

  it('finds a number of every brand, with blanks and dashes in any place', () => {
    fc.assert(
      fc.property(cardNumber, fc.array(separator, { minLength: 16, maxLength: 16 }), (number, separators) => {
        const written = [...number]
          .map((digit, at) => digit + (at === number.length - 1 ? '' : separators[at]))
          .join('')
        expect(hasCardNumber(written)).to.equal(true)
        expect(hasCardNumber(`${number} 12/27`)).to.equal(true)
        expect(maskCardNumbers(`no ${number}.`)).to.equal(`no ${'x'.repeat(number.length)}.`)
      }),
    )
  })

  it('ignores numbers with a wrong check digit, length or range', () => {
    for (const text of [
      '4242424242424241',
      '424242424242424',
      '42424242424242424242',
      '1234567812345670',
      '9999999999999995',
      '0.4242424242424242',
      '42424242-4242-4242-4242-424242424242',
      '+4242 4242 4242 424',
    ])
      expect(hasCardNumber(text), text).to.equal(false)
  })

  it('ignores order numbers outside the ranges of cards', () => {
    const orders = digits(1, 40).filter(
      (number) => (number.length !== 15 && number.length !== 16) || cardBrand(number) === undefined,
    )
    fc.assert(
      fc.property(orders, (order) => {
        expect(hasCardNumber(`order ${order}`)).to.equal(false)
      }),
    )
  })

  it('ignores telephone numbers', () => {
    const local = fc.tuple(digits(2, 4), digits(2, 4), digits(2, 6)).map((parts) => parts.join(' '))
    const abroad = fc
      .tuple(digits(7, 15), fc.constantFrom('', ' ', '-', '.'))
      .map(([all, by]) => `+${all.replace(/(...)(?=.)/g, `$1${by}`)}`)
    fc.assert(
      fc.property(fc.oneof(local, abroad), fc.oneof(local, abroad), (phone, other) => {
        expect(hasCardNumber(`call ${phone}, or ${other}`)).to.equal(false)
      }),
    )
  })

  it('ignores one or two times in milliseconds', () => {
    const time = fc.integer({ min: 0, max: 4_102_444_800_000 })
    fc.assert(
      fc.property(time, (milliseconds) => {
        expect(hasCardNumber(String(milliseconds))).to.equal(false)
        expect(hasCardNumber(`${new Date(milliseconds).toISOString()} ${milliseconds}`)).to.equal(false)
      }),
    )
  })

  it('ignores ids, keys and digests of payctl, even if they are only digits', () => {
    const chance = fc.array(fc.nat(255), { minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(chance, fc.integer({ min: 0, max: 4_102_444_800_000 }), (list, now) => {
        const random = bytes(list)
        expect(hasCardNumber(timeOrderedIds({ now: () => now }, random).next('txn_'))).to.equal(false)
        expect(hasCardNumber(makeKey('test', 'secret', random))).to.equal(false)
        expect(hasCardNumber(Buffer.from(list).toString('hex'))).to.equal(false)
      }),
    )
    expect(hasCardNumber('txn_0000004242424242424242')).to.equal(false)
  })

  it('takes no longer for texts crafted to slow it down', () => {
    // With a quadratic search, this would take an hour.
    const decimals = '.123456789012345 1'.repeat(500_000)
    expect(hasCardNumber(`111111111111111 ${decimals}`)).to.equal(false)
    expect(maskCardNumbers(`4242424242424242 ${decimals}`).slice(0, 20)).to.equal('xxxxxxxxxxxxxxxx .12')
  })

  it('masks overlapping groups of digits completely', () => {
    expect(maskCardNumbers('1 4242 4242 4242 4242 4242 1')).to.equal('1 xxxx xxxx xxxx xxxx xxxx 1')
  })

  it('includes the names cvv, card_code and card_number in any spelling, and no others', () => {
    for (const name of [
      'cvv',
      'CVC',
      'card_code',
      'cardCode',
      'Card Number',
      'card-number',
      'CVV2',
      'security_code',
    ])
      expect(isCardDataName(name), name).to.equal(true)
    for (const name of ['card', 'card_brand', 'card_number_last4', 'code', 'room', 'number', ''])
      expect(isCardDataName(name), name).to.equal(false)
  })
})
