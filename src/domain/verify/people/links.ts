import type { Work } from '../../../engine/core/write/work.js'
import type { PaymentLinkRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { findingsOf } from '../pass/finding.js'
import { grouped, passOver } from '../pass/pass.js'

/** A single-use link is taken while a payment through it is pending, and completed by the payment that succeeds. */
export const links = passOver(
  'payment links',
  (db) =>
    db
      .selectFrom('payment_links')
      .select(['id', 'type', 'status', 'taken', 'failed_payment_id', 'expires_at', 'deleted_at']),
  async ({ tx: { db } }, rows) => {
    const payments = await paymentsThrough(db, rows[0]?.id ?? '', rows.at(-1)?.id ?? '')
    const paymentsOf = grouped(payments, ({ payment_link_id: link }) => link)
    return {
      count: rows.length,
      findings: rows
        // A deleted link is not changed by the outcome of a payment.
        .filter((row) => row.deleted_at === null)
        .flatMap((row) => findingsOf('link', row.id, () => linkProblems(row, paymentsOf.get(row.id) ?? []))),
    }
  },
)

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
  {
    type,
    status,
    taken,
    failed_payment_id: failed,
    expires_at: end,
  }: Pick<PaymentLinkRow, 'type' | 'status' | 'taken' | 'failed_payment_id' | 'expires_at'>,
  payments: readonly Payment[],
): string[] {
  const isTaken = taken === 1
  const open = payments.filter((payment) => payment.status === 'processing')
  const made = payments.filter((payment) => payment.status !== 'processing' && payment.status !== 'declined')
  const problems = status === 'expired' && end === null ? ['It is expired, and has no expiry'] : []
  const isUsed = isTaken || status === 'completed'
  if (type === 'reusable')
    return isUsed ? [...problems, `It is reusable, and is ${status}, or taken`] : problems
  // The payment that completed a link may be declined later, at its capture.
  const isPaid = made.length > 0 || (status === 'completed' && payments.length > open.length)
  // A link after a declined automatic payment is completed once its invoice is paid, also by another payment.
  const isSettled = isPaid || (failed !== null && status === 'completed')
  return [
    ...problems,
    ...(isTaken === (open.length === 1)
      ? []
      : [`It has ${open.length} pending payments, and is ${isTaken ? '' : 'not '}taken`]),
    ...(made.length > 1
      ? [`It can be paid once, and was paid by ${made.map(({ id }) => id).join(' and ')}`]
      : []),
    ...(isSettled === (status === 'completed') ? [] : [`It is ${status}, and has ${made.length} payments`]),
  ]
}
