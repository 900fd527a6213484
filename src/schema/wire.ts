import { columnName, type Row, type Stored, secretColumns } from './columns.js'
import { type Fields, type FlagField, isValueField, type ValueField } from './field.js'
import { showMoney, showScaled } from './money.js'
import { NUMBER_DECIMALS } from './read.js'

export type WireValue = null | boolean | number | string | WireValue[] | { [key: string]: WireValue }

/**
 * Value that the API shows for a stored value of a field; for a secret, the stored value is its mask.
 */
export function showValue(field: ValueField, stored: Stored): WireValue {
  if (stored === null) return field.kind === 'flag' ? showFlag(unsetFlag(field)) : null
  switch (field.kind) {
    case 'money':
      return showMoney(Number(stored))
    case 'number':
      return showScaled(Number(stored), NUMBER_DECIMALS)
    case 'integer':
      return Number(stored)
    case 'flag':
      return showFlag(stored)
    case 'json':
      return JSON.parse(String(stored))
    case 'rows':
      return showRows(field.fields, JSON.parse(String(stored)))
    case 'text':
    case 'email':
    case 'phone':
    case 'postal_code':
    case 'digits':
    case 'secret':
    case 'expiry':
    case 'one_of':
    case 'ref':
    case 'id':
    case 'file':
    case 'date':
    case 'datetime':
      return stored
  }
}

function showFlag(stored: Stored): boolean | null {
  return stored === null ? null : stored === 1
}

/** Stored form of the value that a flag has while none is stored; null if "no value" is a third state. */
export function unsetFlag({ unset, default: byDefault }: FlagField): Stored {
  const value = unset ?? byDefault
  return value === undefined ? null : Number(value)
}

/** Column from which a field at a path is shown. */
export function shownColumn(field: ValueField, path: readonly string[]): string {
  return field.kind === 'secret' ? secretColumns(path).mask : columnName(path)
}

function showRows(fields: Fields, list: Row[]): WireValue {
  return list.map((row) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        isValueField(field) ? showValue(field, row[name] ?? null) : null,
      ]),
    ),
  )
}

/** Secret with all but its last digits masked; the length is kept. */
export function maskDigits(digits: string): string {
  const shown = lastDigits(digits)
  return 'x'.repeat(digits.length - shown.length) + shown
}

/** Digits of a secret that may be shown: the last four, but at most half. */
export function lastDigits(digits: string): string {
  return digits.slice(digits.length - Math.min(4, Math.floor(digits.length / 2)))
}

/** Whether a value is a mask. A client that sends a mask back leaves the secret unchanged. */
export function isMask(value: unknown): value is string {
  return typeof value === 'string' && /^x+\d{1,4}$/.test(value)
}
