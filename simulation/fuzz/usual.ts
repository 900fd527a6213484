import type { Json } from '../../src/schema/json.js'

/** Typical values by the name of an attribute, so that many requests pass validation. */
export const USUAL: Readonly<Record<string, readonly Json[]>> = {
  amount: [1, 0.01, 5, 10.5, 29.99, 100, 250, '12.50', 5_000, 99_999_999.99],
  qty: [1, 2, 3, 100],
  card_number: ['4242 4242 4242 4242', '5555555555554444', '4000056655665556', '4111111111119903'],
  card_code: ['123', 123],
  expiry: ['12/39', '01/40', '01/20'],
  account_number: ['1234567890', '9876543210'],
  routing_number: ['021000021', '123456789'],
  postal_code: ['10001', 11238],
  phone_number: ['212 555 0100'],
  email: ['ada@example.com', 'eve@example.com'],
  contact_email: ['ada@example.com'],
  ssn: ['123-45-6789'],
  ein: ['12-3456789'],
  ownership: [10, 25, 60, 100],
  timezone: ['America/New_York', 'Europe/Berlin', 'Pacific/Kiritimati', 'UTC'],
  url: ['https://hooks.invalid/x'],
  billing_day: [1, 15, 28, 31],
  first_billing_day: [1, 5],
  second_billing_day: [15, 31],
  billing_month: [1, 2, 4, 7, 10, 12],
  birth_date: ['1980-01-31', '1980-01-31 00:00:00'],
  start_date: ['2026-11-01', '2026-11-21', '2027-01-31', '2028-02-29'],
  end_date: ['2026-12-31', '2027-06-30', '2030-01-01'],
  due_date: ['2026-11-21', '2026-12-01', '2026-10-01'],
  date: ['2026-11-20', '2026-11-21', '2026-11-25'],
  from: ['2026-11-01', '2026-10-01'],
  by: ['1h', '12h', '1d', '3d', '1w'],
  to: ['2026-11-22 00:00:00', '2026-12-01 12:00:00'],
  now: ['2026-11-21 12:00:00', '2026-12-01 00:00:00'],
  offset: [0, 3_600, 86_400],
  overlap: [0, 60],
  expires_at: ['2031-01-31 14:05:00'],
  country_code: ['US'],
  state_province: ['NY', 'CA'],
  file: ['data:text/plain;name=terms.txt;base64,SGVsbG8='],
  attrs: [{ order: { id: 42 } }, { a: [1, 'x', null] }, {}, null, 5, 'text'],
  values: [],
}

/** Values for attributes without typical values. */
export const NUMBERS: readonly Json[] = [0, 1, 2, 5, 10, 0.5, '3', 31, 100]
export const TEXTS: readonly Json[] = ['Books', 'Front desk', 'x', 'Ärger', '42', '2031-01-31']
