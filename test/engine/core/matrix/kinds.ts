import type { Field } from '../../../../src/schema/field.js'
import type { Json } from '../../../../src/schema/json.js'

/** Every kind of field that can end a filter path; relations and groups are only inside a path. */
export type FilteredKind = Exclude<Field['kind'], 'group' | 'one' | 'many' | 'file' | 'address'>

/**
 * Test values for a kind of field, as the API writes them. `$3` stands for the id of the fourth thing.
 */
export interface Sample {
  /** Values that the things of a test have, in turn. */
  readonly values: readonly Json[]
  /** Notations of values in filters, with the value that each means. */
  readonly literals: readonly (readonly [written: string, meant: Json])[]
  /** Texts for searches inside a value. */
  readonly parts: readonly string[]
  /** A value that every filter refuses. */
  readonly wrong?: string
  readonly isOrdered: boolean
}

const JOKER = ['', '%', '_', 'A'] as const

export const samples: { readonly [K in FilteredKind]: Sample } = {
  text: {
    values: ['Ada', 'ada park', null, '100% sure', 'Zoë', 'b_c', '10', '9'],
    literals: [
      ['Ada', 'Ada'],
      ['b_c', 'b_c'],
      ['10', '10'],
      ['nobody', 'nobody'],
    ],
    parts: [...JOKER, 'ADA', '00%', 'ë'],
    isOrdered: true,
  },
  email: {
    values: ['ada@example.com', 'bob@example.org', null, 'zoe@example.com'],
    literals: [
      ['bob@example.org', 'bob@example.org'],
      [' ada@example.com', 'ada@example.com'],
    ],
    parts: ['EXAMPLE', '@example.o', '_'],
    wrong: 'nobody',
    isOrdered: true,
  },
  phone: {
    values: ['2125550100', null, '+442079460000', '6505550199'],
    literals: [
      ['212 555-0100', '2125550100'],
      ['(650) 555.0199', '6505550199'],
      ['3000000', '3000000'],
    ],
    parts: ['555', '+4'],
    wrong: 'call me',
    isOrdered: true,
  },
  postal_code: {
    values: ['10001', 'SW1A 1AA', null, '94107'],
    literals: [
      ['10001', '10001'],
      ['SW1A 1AA', 'SW1A 1AA'],
      ['94108', '94108'],
    ],
    parts: ['sw1a', '00'],
    wrong: '(10001)',
    isOrdered: true,
  },
  digits: {
    values: ['007', '42', null, '1234567'],
    literals: [
      ['0-0 7', '007'],
      ['42', '42'],
      ['5', '5'],
    ],
    parts: ['0', '4'],
    wrong: 'seven',
    isOrdered: true,
  },
  secret: {
    values: ['4242424242', null, '12345678', '0000'],
    literals: [
      ['4242 4242-42', '4242424242'],
      ['0000', '0000'],
      ['4242', '4242'],
    ],
    parts: ['4242'],
    wrong: 'xxxxxx4242',
    isOrdered: false,
  },
  expiry: {
    values: ['12/39', '01/30', null, '12/31'],
    literals: [
      ['12/39', '12/39'],
      ['1/2030', '01/30'],
      ['06/33', '06/33'],
    ],
    parts: ['12/', '30'],
    wrong: '13/30',
    isOrdered: false,
  },
  money: {
    values: [10, 29.99, null, -10.5, 0, 10, 99_999_999.99],
    literals: [
      ['10.00', 10],
      ['29.994', 29.99],
      ['-10.5', -10.5],
      ['1e1', 10],
      ['1000000000000', 1e12],
    ],
    parts: ['1'],
    wrong: 'ten',
    isOrdered: true,
  },
  number: {
    values: [2.9, -3, null, 0.0001, 1_000_000, 2.9],
    literals: [
      ['2.90', 2.9],
      ['-3', -3],
      ['0.00012', 0.0001],
      ['10000', 10_000],
    ],
    parts: ['2'],
    wrong: '2,9',
    isOrdered: true,
  },
  integer: {
    values: [5, -5, null, 12, 0, 9_007_199_254_740_991],
    literals: [
      ['12', 12],
      ['+5', 5],
      ['-5', -5],
      ['6', 6],
    ],
    parts: ['1', '-'],
    wrong: '1.5',
    isOrdered: true,
  },
  flag: {
    values: [true, false, null],
    literals: [
      ['true', true],
      ['0', false],
      ['FALSE', false],
    ],
    parts: ['1'],
    wrong: 'maybe',
    isOrdered: false,
  },
  one_of: {
    values: ['red', 'green', null, 'blue'],
    literals: [
      ['green', 'green'],
      ['red', 'red'],
    ],
    parts: ['E', 'lu'],
    wrong: 'pink',
    isOrdered: true,
  },
  ref: {
    values: ['$0', null, '$1', '$2'],
    literals: [
      ['$0', '$0'],
      ['$1', '$1'],
      ['thing_none', 'thing_none'],
    ],
    parts: ['THING', '$2'],
    wrong: 'a thing',
    isOrdered: true,
  },
  id: {
    values: [],
    literals: [
      ['$0', '$0'],
      ['$4', '$4'],
      ['thing_none', 'thing_none'],
    ],
    parts: ['THING', '$5'],
    wrong: 'a thing',
    isOrdered: true,
  },
  date: {
    values: ['2026-01-31', '2024-02-29', null, '1999-12-31'],
    literals: [
      ['02/29/2024', '2024-02-29'],
      ['2026-01-31', '2026-01-31'],
      ['2025-01-01', '2025-01-01'],
    ],
    parts: ['-02-', '2026'],
    wrong: '2025-02-29',
    isOrdered: true,
  },
  datetime: {
    values: ['2026-01-31 12:00:00', '2031-01-31 00:00:00', null, '1999-12-31 23:59:59'],
    literals: [
      ['2026-01-31T12:00:00Z', '2026-01-31 12:00:00'],
      ['2031-01-31', '2031-01-31 00:00:00'],
      ['12/31/1999 23:59', '1999-12-31 23:59:00'],
    ],
    parts: ['01-31', '12:00'],
    wrong: 'yesterday',
    isOrdered: true,
  },
  json: {
    values: [{ a: 1 }, 'Ada', null, [1, 'x'], 5],
    literals: [
      ['{"a":1}', { a: 1 }],
      ['"Ada"', 'Ada'],
      ['5', 5],
      ['[]', []],
    ],
    parts: ['"a"', 'ADA', '1'],
    isOrdered: false,
  },
  rows: {
    values: [[{ text: 'Ada' }], null, [{ text: 'bob' }, { text: 'Zoë' }], []],
    literals: [
      ['[{"text":"Ada"}]', [{ text: 'Ada' }]],
      ['[]', []],
    ],
    parts: ['ADA', '"text"', '%'],
    isOrdered: false,
  },
  alias: {
    values: [],
    literals: [
      ['Ada', 'Ada'],
      ['nobody', 'nobody'],
    ],
    parts: [...JOKER],
    isOrdered: true,
  },
  derived: {
    values: [],
    literals: [
      ['past', 'past'],
      ['high', 'high'],
      ['low', 'low'],
    ],
    parts: ['S', 'hi'],
    wrong: 'never',
    isOrdered: true,
  },
  constant: {
    values: [],
    literals: [
      ['thing', 'thing'],
      ['other', 'other'],
      ['zebra', 'zebra'],
    ],
    parts: ['THI', 'x'],
    isOrdered: true,
  },
}

export function isFilteredKind(name: string): name is FilteredKind {
  return Object.hasOwn(samples, name)
}

/** Whether a part of the stored value can be searched. */
export function isSearched(kind: FilteredKind): boolean {
  return !['secret', 'money', 'number', 'flag'].includes(kind)
}
