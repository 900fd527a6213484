import type { Work } from '../../../engine/core/write/work.js'
import type { CollectionRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { isReturn } from '../../../schema/status-codes.js'
import { isFinalReturn } from '../../payments/parties/judge-method.js'
import { type Finding, findingsOf } from '../pass/finding.js'
import { grouped, passOver } from '../pass/pass.js'

/**
 * An attempt to collect an invoice is an automatic payment by the method that it names. After an attempt has collected
 * an invoice, no other collects it again automatically. See docs/money.md, "Billing schedules".
 */
export const collections = passOver(
  'attempts to collect invoices',
  (db) => db.selectFrom('invoices').select(['id', 'collect_since']),
  async ({ tx: { db } }, rows) => {
    const sinceOf = new Map(rows.map(({ id, collect_since: since }) => [id, since]))
    const tried = await db
      .selectFrom('collections')
      .leftJoin('transactions', 'transactions.id', 'collections.transaction_id')
      .select([
        'invoice_id',
        'attempt_date',
        'transaction_id',
        'refusal',
        'requested',
        'collections.payment_method_id',
        'identified_by',
        'automatic',
        'status',
        'status_code',
        'transactions.payment_method_id as paid_by',
        'collections.created_at as tried_at',
        'transactions.created_at as taken_at',
      ])
      .where('invoice_id', 'in', [...sinceOf.keys()])
      .orderBy('attempt_date')
      .orderBy('requested')
      .execute()
    const findings: Finding[] = []
    for (const [id, attempts] of grouped(tried, (attempt) => attempt.invoice_id))
      findings.push(...findingsOf('collection', id, () => collectionProblems(attempts, sinceOf.get(id))))
    return { count: tried.length, findings }
  },
)

/** An attempt to collect an invoice, with the status of its payment. */
export type Tried = Pick<
  CollectionRow,
  'attempt_date' | 'transaction_id' | 'refusal' | 'requested' | 'payment_method_id' | 'identified_by'
> & {
  readonly automatic: number | null
  readonly status: TransactionRow['status']
  readonly status_code: string | null
  /** The method of the payment. */
  readonly paid_by: string | null
  readonly tried_at: string
  readonly taken_at: string | null
}

/**
 * Problems of the attempts to collect an invoice, oldest first; `since` is the time at which collecting was resumed.
 */
export function collectionProblems(attempts: readonly Tried[], since: string | null = null): string[] {
  const paid = attempts.filter(({ status }) => status === 'processed' || status === 'rejected')
  const again = paid.filter(
    ({ requested }, index) => requested === 0 && paid.slice(0, index).some((one) => isLasting(one, since)),
  )
  return [
    ...attempts.flatMap(attemptProblems),
    ...(again.length > 0 ? [`It was collected on ${paid.map((one) => one.attempt_date).join(' and ')}`] : []),
  ]
}

/**
 * Whether a paid attempt ends automatic collecting: no bank returned the payment, and nobody has resumed collecting
 * since.
 */
function isLasting({ status, status_code: code, tried_at: at }: Tried, since: string | null): boolean {
  if (status === 'rejected' && isReturn(code)) return false
  return since === null || at >= since
}

/** An attempt is recorded together with its payment. Its local date is close to the date in UTC. */
function attemptProblems(attempt: Tried): string[] {
  const {
    attempt_date: date,
    transaction_id: id,
    refusal,
    payment_method_id: method,
    identified_by: identity,
    paid_by: paidBy,
    automatic,
    tried_at: at,
    taken_at: taken,
  } = attempt
  const distance = Math.abs(Date.parse(date) + HALF_A_DAY - Date.parse(`${at.replace(' ', 'T')}Z`))
  const problems = [
    ...(distance <= 3 * HALF_A_DAY ? [] : [`The attempt of ${date} was made at ${at}`]),
    ...(method !== null && identity !== null ? [] : [`The attempt of ${date} names no payment method`]),
  ]
  if (id === null)
    return refusal === null
      ? [...problems, `The attempt of ${date} has neither a payment nor a refusal`]
      : problems
  return [
    ...problems,
    ...(method === paidBy
      ? []
      : [`The attempt of ${date} was made with ${method}, its payment with ${paidBy}`]),
    ...(automatic === 1 ? [] : [`The attempt of ${date} is ${id}, which is not an automatic payment`]),
    ...(taken === at ? [] : [`The attempt of ${date} was made at ${at}, its payment at ${taken}`]),
    ...(refusal === null ? [] : [`The attempt of ${date} was refused, and is ${id}`]),
  ]
}

const HALF_A_DAY = 12 * 3_600_000

/**
 * The payment that barred a payment method was made with that method, and was declined or returned for good. See
 * docs/money.md, "Billing schedules".
 */
export const bars = passOver(
  'barred payment methods',
  (db) =>
    db
      .selectFrom('payment_methods')
      .leftJoin('transactions', 'transactions.id', 'payment_methods.barred_by')
      .select([
        'payment_methods.id',
        'barred_by',
        'transactions.status',
        'payment_method_id',
        'transactions.type',
      ])
      .where('barred_by', 'is not', null),
  async ({ tx: { db } }, rows) => {
    const returned = await returnedForGood(
      db,
      rows.map(({ barred_by: by }) => by ?? ''),
    )
    return {
      count: rows.length,
      findings: rows.flatMap(({ id, barred_by: by, status, type, payment_method_id: method }) => {
        const isBar = type === 'payment' && method === id && (status === 'declined' || returned.has(by))
        return isBar
          ? []
          : findingsOf('collection', id, [`It is barred by ${by}, a ${status} ${type} by ${method}`])
      }),
    }
  },
  'payment_methods.id',
)

/** Selects the payments that a bank has returned for a reason that also applies to later debits. */
async function returnedForGood(
  db: Work['tx']['db'],
  payments: readonly string[],
): Promise<ReadonlySet<string | null>> {
  const entered = await db
    .selectFrom('transaction_ledgers as l')
    .innerJoin('transactions as t', 't.id', 'l.assoc_transaction_id')
    .select(['l.transaction_id as payment', 't.status_code'])
    .where('l.transaction_id', 'in', payments)
    .where('t.type', '=', 'chargeback')
    .execute()
  const beyond = await db
    .selectFrom('transactions')
    .select(['disputed_id as payment', 'status_code'])
    .where('disputed_id', 'in', payments)
    .where('type', '=', 'chargeback')
    .execute()
  return new Set(
    [...entered, ...beyond]
      .filter(({ status_code: code }) => isFinalReturn(code))
      .map(({ payment }) => payment),
  )
}
