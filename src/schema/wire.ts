import { columnName, type Row, type Stored, secretColumns } from './columns.js'
import { type Fields, type FlagField, isValueField, type ValueField } from './field.js'
import { showMoney, showScaled } from './money.js'
import { NUMBER_DECIMALS } from './read.js'

export type WireValue = null | boolean | number | string | WireValue[] | { [key: string]: WireValue }

/** What the interface shows for a stored value of a field; a secret's stored value here is its mask. */
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

/** What nothing stored in a flag means, as it is stored; null where that is a third value. */
export function unsetFlag({ unset, default: byDefault }: FlagField): Stored {
  const value = unset ?? byDefault
  return value === undefined ? null : Number(value)
}

/** The column that a field at a path is shown from. */
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

/** A secret as it is shown: the last digits, the length kept. */
export function maskDigits(digits: string): string {
  const shown = lastDigits(digits)
  return 'x'.repeat(digits.length - shown.length) + shown
}

/** What may be shown of a secret: its last four digits, and of a short one no more than half. */
export function lastDigits(digits: string): string {
  return digits.slice(digits.length - Math.min(4, Math.floor(digits.length / 2)))
}

/** Whether a client sent a mask back, which means: unchanged. */
export function isMask(value: unknown): value is string {
  return typeof value === 'string' && /^x+\d{1,4}$/.test(value)
}
