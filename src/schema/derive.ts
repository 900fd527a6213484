import type { Row, Stored } from './columns.js'
import type { DerivedField, DerivedTest } from './field.js'

/** Value of a derived field on a row, at `now` (a datetime). Queries compute the same value with a CASE. */
export function derive({ cases, otherwise }: DerivedField, row: Row, now: string): string {
  const found = cases.find(({ when }) => when.every((test) => holds(test, row[test.column] ?? null, now)))
  return found?.is ?? otherwise
}

function holds({ operator, value }: DerivedTest, stored: Stored, now: string): boolean {
  if (operator === 'unset') return stored === null
  if (stored === null || value === undefined) return false
  const expected = value === 'now' ? now : value
  switch (operator) {
    case '=':
      return stored === expected
    case '>':
      return stored > expected
    case '<=':
      return stored <= expected
  }
}
