import type { TrackedAttribute } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import { showValue, type WireValue } from '../../../schema/wire.js'
import type { ChangedRow } from './changed-rows.js'

/** Names of changed attributes, and those of their values that may be kept permanently. */
export interface ChangedAttributes {
  readonly names: readonly string[]
  readonly before: Values
  readonly after: Values
}

type Values = { readonly [name: string]: WireValue }

/**
 * Changed attributes of an object. Attributes of other rows carry the id of their row, as in
 * `txn_….refunded`. For new rows, and for rows that were not read before the change, only granted rights are
 * kept. The amount of a payment is in its line anyway.
 */
export function changedAttributes(
  row: ChangedRow | undefined,
  others: readonly ChangedRow[],
): ChangedAttributes {
  const names: string[] = []
  const before: { [name: string]: WireValue } = {}
  const after: { [name: string]: WireValue } = {}
  const add = (changed: ChangedRow, prefix: string) => {
    const attributes = attributesToShow(changed)
    const kept = attributes.filter(({ isKept }) => isKept)
    if (changed.before && !changed.isNew) {
      names.push(...attributes.map(({ name }) => prefix + name))
      addValues(before, kept, changed.before, prefix)
    }
    if ((changed.after.deleted_at ?? null) === null) addValues(after, kept, changed.after, prefix)
  }
  if (row) add(row, '')
  for (const other of others.slice(0, MAX_OTHERS)) add(other, `${other.id}.`)
  return { names, before, after }
}

/**
 * Maximum number of other rows that are described. A line of a large batch names the rest only by their
 * ids.
 */
const MAX_OTHERS = 50

function attributesToShow({ resource, isNew, before, after, isControl }: ChangedRow): TrackedAttribute[] {
  if (isNew || !before)
    return isControl ? resource.tracked.filter(({ isKept, columns }) => isKept && hasAny(after, columns)) : []
  return resource.tracked.filter(({ columns }) => columns.some((column) => before[column] !== after[column]))
}

function addValues(
  values: { [name: string]: WireValue },
  attributes: readonly TrackedAttribute[],
  row: Row,
  prefix: string,
): void {
  for (const attribute of attributes) values[prefix + attribute.name] = shownValue(attribute, row)
}

function hasAny(row: Row, columns: readonly string[]): boolean {
  return columns.some((column) => (row[column] ?? null) !== null)
}

function shownValue({ field, columns: [column = ''] }: TrackedAttribute, row: Row): WireValue {
  return showValue(field, row[column] ?? null)
}
