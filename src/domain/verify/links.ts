import type { Work } from '../../engine/core/write/work.js'
import type { PaymentLinkRow, TransactionRow } from '../../engine/store/database/tables.js'
import { findingsOf, PAGE, type Pass } from './finding.js'
import { grouped } from './transaction-history.js'

/** A link that is paid once is taken while a payment through it is under way, and completed by the one that was made. */
export const links: Pass = {
  of: 'payment links',
  async examine({ tx: { db } }: Work, after) {
    const rows = await db
      .selectFrom('payment_links')
      .select(['id', 'type', 'status', 'taken', 'expires_at', 'deleted_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    const [first, last] = [rows[0]?.id, rows.at(-1)?.id]
    const payments = first === undefined || last === undefined ? [] : await paymentsThrough(db, first, last)
    const paymentsOf = grouped(payments, ({ payment_link_id: link }) => link)
    return {
      last,
      count: rows.length,
      findings: rows
        // What became of a payment is not told to a link that is deleted.
        .filter((row) => row.deleted_at === null)
        .flatMap((row) => findingsOf('link', row.id, linkProblems(row, paymentsOf.get(row.id) ?? []))),
    }
  },
}

type Payment = Pick<TransactionRow, 'id' | 'status' | 'payment_link_id'>

async function paymentsThrough(db: Work['tx']['db'], first: string, last: string): Promise<Payment[]> {
  return await db
    .selectFrom('transactions')
    .select(['id', 'status', 'payment_link_id'])
    .where('type', '=', 'payment')
    .where('payment_link_id', '>=', first)
    .where('payment_link_id', '<=', last)
    .orderBy('id')
    .execute()
}

function linkProblems(
  { type, status, taken, expires_at: end }: Pick<PaymentLinkRow, 'type' | 'status' | 'taken' | 'expires_at'>,
  payments: readonly Payment[],
): string[] {
  const isTaken = taken === 1
  const open = payments.filter((payment) => payment.status === 'processing')
  const made = payments.filter((payment) => payment.status !== 'processing' && payment.status !== 'declined')
  const problems = status === 'expired' && end === null ? ['It is expired, and has no end'] : []
  if (type === 'reusable')
    return [
      ...problems,
      ...(isTaken || status === 'completed'
        ? [`It is paid again and again, and is ${status}, or taken`]
        : []),
    ]
  // A capture may be declined of what completed it.
  const isPaid = made.length > 0 || (status === 'completed' && payments.length > open.length)
  return [
    ...problems,
    ...(isTaken === (open.length === 1)
      ? []
      : [`${open.length} payments of it are under way, and it is ${isTaken ? '' : 'not '}taken`]),
    ...(made.length > 1 ? [`It is paid once, and ${made.map(({ id }) => id).join(' and ')} paid it`] : []),
    ...(isPaid === (status === 'completed')
      ? []
      : [`It is ${status}, and ${made.length} payments were made of it`]),
  ]
}
