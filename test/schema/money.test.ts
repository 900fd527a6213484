import { expect } from 'chai'
import fc from 'fast-check'
import { formatMoney, parseMoney, parseScaled, portion, showMoney, times } from '../../src/schema/money.js'

/** Exact rounding half away from zero of `numerator / denominator`, the denominator above zero. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator
  const value = (2n * size + denominator) / (2n * denominator)
  return numerator < 0n ? -value : value
}

function inSafeRange(value: bigint): number | undefined {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
    ? Number(value)
    : undefined
}

const digits = (most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((list) => list.join(''))

describe('money', () => {
  it('reads any decimal number exactly like a model of big integers', () => {
    const parts = fc.record({
      sign: fc.constantFrom('', '-', '+'),
      whole: digits(14),
      fraction: fc.option(digits(8), { nil: '' }),
      exponent: fc.integer({ min: -12, max: 12 }),
      decimals: fc.integer({ min: 0, max: 6 }),
    })
    fc.assert(
      fc.property(parts, ({ sign, whole, fraction, exponent, decimals }) => {
        const text = `${sign}${whole}${fraction && `.${fraction}`}${exponent === 0 ? '' : `e${exponent}`}`
        const unscaled = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
        const power = exponent + decimals - fraction.length
        const model = power >= 0 ? unscaled * 10n ** BigInt(power) : rounded(unscaled, 10n ** BigInt(-power))
        expect(parseScaled(text, decimals)).to.equal(inSafeRange(model))
      }),
    )
  })

  it('rounds the decimals that a client wrote, not those of binary fractions', () => {
    expect(parseMoney(1.005)).to.equal(101)
    expect(parseMoney('-1.005')).to.equal(-101)
    expect(parseMoney(0.1 + 0.2)).to.equal(30)
    expect(parseMoney(29.99)).to.equal(2999)
    expect(parseMoney('-0.001')).to.equal(0)
  })

  it('refuses a text that is not a decimal number', () => {
    for (const input of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '',
      '.',
      '1,5',
      '1.2.3',
      '0x10',
      'e5',
      '1e9999',
      '12 3',
    ]) {
      expect(parseMoney(input), String(input)).to.equal(undefined)
    }
  })

  it('has the same value when its written form is read again', () => {
    fc.assert(
      fc.property(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }), (minor) => {
        expect(parseMoney(formatMoney(minor))).to.equal(minor)
        expect(parseMoney(showMoney(minor))).to.equal(minor)
      }),
    )
  })

  it('takes rates exactly, rounded half away from zero', () => {
    const amounts = fc.integer({ min: -9_999_999_999, max: 9_999_999_999 })
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 1_000_000 }), (amount, rate) => {
        expect(BigInt(portion(amount, rate))).to.equal(rounded(BigInt(amount) * BigInt(rate), 1_000_000n))
      }),
    )
    expect(portion(50, 10_000)).to.equal(1)
    expect(portion(-50, 10_000)).to.equal(-1)
    expect(portion(49, 10_000)).to.equal(0)
  })

  it('multiplies by quantities exactly, rounded half away from zero', () => {
    const amounts = fc.integer({ min: -9_999_999_999, max: 9_999_999_999 })
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 1_000_000 }), (amount, quantity) => {
        expect(BigInt(times(amount, quantity))).to.equal(rounded(BigInt(amount) * BigInt(quantity), 10_000n))
      }),
    )
    expect(times(99, 25_000)).to.equal(248)
    expect(times(-1, 5000)).to.equal(-1)
    expect(times(1, 4999)).to.equal(0)
  })
})
