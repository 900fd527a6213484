import { insertRows } from '../../engine/core/read/statements.js'
import type { Work } from '../../engine/core/write/work.js'
import { resources } from '../../resources/index.js'
import type { Row } from '../../schema/columns.js'
import type { TransactionType } from '../ledger/stored.js'
import { dueOf, type Item } from './item.js'

const COLUMNS = [
  'id',
  'created_at',
  'modified_at',
  'amount',
  'assoc_transaction_id',
  'entry_type',
  'transaction_id',
  'timestamp',
]

/** The entries of so many items go in one statement. */
const PORTION = 50

/** Enters items into a deposit, two mirrored entries each: what was due for them is then due no more. */
export async function enterItems(
  work: Work,
  batch: { readonly id: string; readonly type: TransactionType },
  items: readonly Item[],
): Promise<void> {
  for (let start = 0; start < items.length; start += PORTION) {
    const entries = items.slice(start, start + PORTION).flatMap((item) => [
      { of: item.id, assoc: batch.id, type: batch.type, amount: -dueOf(item) },
      { of: batch.id, assoc: item.id, type: item.type, amount: dueOf(item) },
    ])
    const params: Row = {}
    for (const [n, { of, assoc, type, amount }] of entries.entries()) {
      params[`id${n}`] = work.newId(resources.transaction_ledger.prefix)
      params[`created_at${n}`] = work.now
      params[`modified_at${n}`] = work.now
      params[`amount${n}`] = amount
      params[`assoc_transaction_id${n}`] = assoc
      params[`entry_type${n}`] = type
      params[`transaction_id${n}`] = of
      params[`timestamp${n}`] = work.now
    }
    await work.tx.change(insertOf(entries.length), params)
  }
}

function insertOf(count: number) {
  const known = inserts.get(count) ?? insertRows('transaction_ledgers', COLUMNS, count)
  inserts.set(count, known)
  return known
}
const inserts = new Map<number, ReturnType<typeof insertRows>>()
