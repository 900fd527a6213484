import type { Store } from '../../src/engine/store/database/store.js'
import { audit } from '../support/audit/audit.js'
import { readKept } from '../support/audit/kept.js'
import type { Known } from './known.js'

/** A transaction as acknowledged to a client, or as stored in the database. */
interface Line {
  readonly id: string
  readonly order: string
  readonly amount: number
  readonly type: string
  readonly status: string
}

/**
 * Problems after all requests in flight were answered: acknowledged transactions that are missing, different
 * or duplicate, and unacknowledged ones. Includes the findings of an audit of the books.
 */
export async function verdict(store: Store, known: Known): Promise<string[]> {
  return [...compare(linesOf(known), await stored(store)), ...audit(await store.read(readKept))]
}

function linesOf({ payments, refunds }: Known): Line[] {
  return [
    ...payments.map(({ id, order, amount, status }) => ({ id, order, amount, status, type: 'payment' })),
    ...refunds.map(({ id, order, amount }) => ({ id, order, amount, status: 'processed', type: 'refund' })),
  ]
}

async function stored(store: Store): Promise<Line[]> {
  const rows = await store.read(({ db }) => db.selectFrom('transactions').selectAll().execute())
  return rows.map(({ id, order_number, amount, type, status }) => ({
    id,
    order: order_number ?? '',
    amount: amount ?? 0,
    type: type ?? '',
    status: status ?? '',
  }))
}

/**
 * Compares transactions by order number. A client uses each order number for one transaction, so duplicates are
 * detected.
 */
export function compare(acknowledged: readonly Line[], kept: readonly Line[]): string[] {
  const byOrder = new Map(acknowledged.map((line) => [line.order, line]))
  const seen = new Set<string>()
  const problems: string[] = []
  for (const line of kept) {
    const told = byOrder.get(line.order)
    if (seen.has(line.order)) problems.push(`${line.order} is there twice, also as ${line.id}`)
    else if (!told) problems.push(`${line.id} (${line.order}) was never acknowledged`)
    else if (shown(told) !== shown(line)) problems.push(`${shown(told)} was told, ${shown(line)} is kept`)
    seen.add(line.order)
  }
  const lost = acknowledged.filter(({ order }) => !seen.has(order))
  return [...problems, ...lost.map((line) => `${shown(line)} was acknowledged and is lost`)]
}

function shown({ order, id, type, amount, status }: Line): string {
  return `${order}: ${type} ${id} of ${amount} ${status}`
}
