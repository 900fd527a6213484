import type { Work } from '../../engine/core/write/work.js'
import type { CollectionRow, TransactionRow } from '../../engine/store/database/tables.js'
import { type Finding, findingsOf, PAGE, type Pass } from './finding.js'
import { grouped } from './transaction-history.js'

/** Attempts to collect an invoice are automatic payments, and one of them at most was paid. Money: "Billing schedules". */
export const collections: Pass = {
  of: 'attempts to collect invoices',
  async examine({ tx: { db } }: Work, after) {
    const rows = await db
      .selectFrom('invoices')
      .select('id')
      .where('slot', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    if (rows.length === 0) return { last: undefined, count: 0, findings: [] }
    const ids = rows.map(({ id }) => id)
    const tried = await db
      .selectFrom('collections')
      .leftJoin('transactions', 'transactions.id', 'collections.transaction_id')
      .select(['invoice_id', 'attempt_date', 'transaction_id', 'refusal', 'automatic', 'status'])
      .where('invoice_id', 'in', ids)
      .orderBy('attempt_date')
      .execute()
    const findings: Finding[] = []
    for (const [id, attempts] of grouped(tried, (attempt) => attempt.invoice_id))
      findings.push(...findingsOf('collection', id, collectionProblems(attempts)))
    return { last: ids.at(-1), count: tried.length, findings }
  },
}

/** An attempt, and of its payment what became of it. */
export type Tried = Pick<CollectionRow, 'attempt_date' | 'transaction_id' | 'refusal'> & {
  readonly automatic: number | null
  readonly status: TransactionRow['status']
}

export function collectionProblems(attempts: readonly Tried[]): string[] {
  const paid = attempts.filter(({ status }) => status === 'processed' || status === 'rejected')
  return [
    ...attempts.flatMap(attemptProblems),
    ...(paid.length > 1 ? [`It was collected on ${paid.map((one) => one.attempt_date).join(' and ')}`] : []),
  ]
}

function attemptProblems({ attempt_date: date, transaction_id: id, refusal, automatic }: Tried): string[] {
  if (id === null) return refusal === null ? [`Of the attempt of ${date} there is nothing`] : []
  return automatic === 1 ? [] : [`The attempt of ${date} is ${id}, which is no automatic payment`]
}
