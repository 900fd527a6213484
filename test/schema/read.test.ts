import { expect } from 'chai'
import {
  digits,
  email,
  expiry,
  flag,
  integer,
  money,
  number,
  oneOf,
  phone,
  postalCode,
  secret,
  text,
} from '../../src/schema/field.js'
import { Problem } from '../../src/schema/problem.js'
import { readValue, type ScalarField } from '../../src/schema/read.js'

/** The stored value of an input for a field, or the message in `details`. */
const cases: readonly [ScalarField, unknown, unknown][] = [
  [money(), 12.5, 1250],
  [money(), '12.345', 1235],
  [money(), 1.005, 101],
  [money(), 1e21, 'Must be valid number'],
  [money(), Number.NaN, 'Must be valid number'],
  [money(), Number.POSITIVE_INFINITY, 'Must be valid number'],
  [money(), '1,250.00', 'Must be valid number'],
  [money(), true, 'Must be valid number'],
  [money(), {}, 'Must be valid number'],
  [money(), 99_999_999.99, 9_999_999_999],
  [money(), 100_000_000, 'Must be at most 99999999.99'],
  [money(), -1, 'Must not be negative'],
  [money({ sign: 'positive' }), 0, 'Must be greater than 0'],
  [money({ sign: 'positive' }), 0.004, 'Must be greater than 0'],
  [money({ sign: 'any' }), -12.34, -1234],
  [number(), '2.9', 29_000],
  [number({ max: 100 }), 100.1, 'Must be at most 100'],
  [integer({ min: 1, max: 31 }), '31', 31],
  [integer({ min: 1, max: 31 }), 32, 'Must be at most 31'],
  [integer(), 1.5, 'Must be valid integer'],
  [flag(), 'true', 1],
  [flag(), false, 0],
  [flag(), 'yes', 'Must be true or false'],
  [text(), 'Ада', 'Ада'],
  [text(), 7, 'Must be valid string'],
  [text(), 'a\0b', 'Must be valid string'],
  [text(), '\ud800', 'Must be valid string'],
  [text({ max: 3 }), 'four', 'Must be at most 3 characters'],
  [email(), 'ada@example.com', 'ada@example.com'],
  [email(), 'ada@', 'Must be valid email'],
  [phone(), '(212) 555-0100', '2125550100'],
  [phone(), '+49 30 1234567', '+49301234567'],
  [phone(), 'call me', 'Must be valid phone number'],
  [postalCode(), 11238, '11238'],
  [postalCode(), 'K1A 0B1', 'K1A 0B1'],
  [postalCode(), '!', 'Must be valid postal code'],
  [digits({ min: 3, max: 4 }), '123', '123'],
  [digits({ min: 3, max: 4 }), '12', 'Must have 3 to 4 digits'],
  [digits(), '12a', 'Must be valid number'],
  [secret({ min: 12, max: 19, check: 'card' }), '4242 4242-4242 4242', '4242424242424242'],
  [secret({ min: 12, max: 19, check: 'card' }), '4242424242424241', 'Must be valid card number'],
  [secret({ min: 12, max: 19, check: 'card' }), '4111111111119903', '4111111111119903'],
  [secret({ min: 9, max: 9, check: 'routing' }), '021000021', '021000021'],
  [secret({ min: 9, max: 9, check: 'routing' }), '021000022', 'Must be valid routing number'],
  [secret({ min: 9, max: 9 }), '12-3456789', '123456789'],
  [secret({ min: 9, max: 9 }), '1234', 'Must have 9 digits'],
  [expiry(), '4/29', '04/29'],
  [expiry(), '04/2029', '04/29'],
  [expiry(), '0429', '04/29'],
  [expiry(), '13/29', 'Must be valid expiry, MM/YY'],
  [oneOf(['card', 'bank_account']), 'card', 'card'],
  [oneOf(['card', 'bank_account']), 'Card', 'Must be one of: card, bank_account'],
  [{ kind: 'date' }, '2024-02-29', '2024-02-29'],
  [{ kind: 'date' }, '2/29/2024', '2024-02-29'],
  [{ kind: 'date' }, '2023-02-29', 'Must be valid date, YYYY-MM-DD'],
  [{ kind: 'date' }, '2024-02-29 10:00', '2024-02-29'],
  [{ kind: 'datetime' }, '2024-02-29T23:59:59Z', '2024-02-29 23:59:59'],
  [{ kind: 'datetime' }, '2024-02-29', '2024-02-29 00:00:00'],
  [{ kind: 'datetime' }, '2024-02-29 24:00:00', 'Must be valid datetime, YYYY-MM-DD HH:MM:SS'],
  [{ kind: 'ref', to: 'account' }, 'acct_1', 'acct_1'],
  [{ kind: 'ref', to: 'account' }, "x' or 1=1", 'Must be valid id'],
]

describe('the reader of values', () => {
  for (const [field, input, expected] of cases) {
    it(`reads ${JSON.stringify(input)} as ${field.kind} ${JSON.stringify(expected)}`, () => {
      const read = readValue(field, input)
      expect(read instanceof Problem ? read.message : read).to.equal(expected)
    })
  }

  it('takes a time proportional to the length of an oversized value', () => {
    const fields = new Set(cases.map(([field]) => field))
    const parts = [' ', '9', '0', '-', '.', '1 ', '1-', 'a@', 'a.', 'x', '1/']
    for (const field of fields) {
      for (const part of parts) {
        for (const [start, end] of FRAMES) {
          const read = readValue(field, start + part.repeat(LENGTH) + end)
          expect(read, `${field.kind}: ${start}${part}…${end}`).to.be.instanceOf(Problem)
        }
      }
    }
  })
})

/** Long enough that a pattern with backtracking would exceed the time limit of the test. */
const LENGTH = 200_000
const FRAMES = [
  ['', 'x'],
  ['12', 'x'],
  ['2001-01-01', 'x'],
  ['2001-01-01 10:10:10.1', 'x'],
  ['a@', '@'],
] as const
