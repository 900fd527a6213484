import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import type { DeclinedOutcome } from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { formatMoney, type Minor } from '../../../schema/money.js'
import { restoreAllocations } from '../../allocations/follow-payment.js'
import { raiseException } from '../../exceptions/raise-exception.js'
import type { Decision } from '../../ledger/decision.js'
import { payoutsOf } from '../../ledger/payouts.js'
import { payoutPostings, reversed } from '../../ledger/postings.js'
import { busy, storedTransaction, type Transaction } from '../../ledger/stored-transaction.js'
import { decideDecline } from '../outcome/decide-outcome.js'
import { changeDecided } from '../outcome/persist-decision.js'
import { businessDayFor } from '../pending/today.js'

/** The gateway's report that a refund or credit failed after the gateway had approved it. */
export type LateFailure = Pick<DeclinedOutcome, 'gatewayId' | 'code' | 'statusCode'>

/**
 * Records that a processed refund or credit has failed at its gateway. The refund becomes declined, and its amount can
 * be refunded again. An exception asks an operator how the payer gets the money. Returns the transaction, unchanged if
 * not processed. Throws `Conflict` while another operation on the payment is pending. See docs/money.md, "Refunds".
 */
export async function failRefund(
  work: Work,
  { id }: Pick<TransactionRow, 'id'>,
  failure: LateFailure,
): Promise<TransactionRow> {
  const before = await work.refresh(resources.transaction, id)
  const paymentId = await refundedPaymentOf(work, before)
  // Rows are locked in the order of their ids: the payment is older.
  const payment = paymentId === undefined ? undefined : await work.lock(resources.transaction, paymentId)
  const row = await work.lock(resources.transaction, id)
  if (row?.status !== 'processed') return row ?? before
  if (payment && payment.pending_operation !== null) throw busy(storedTransaction(payment))
  const declined = await changeDecided(
    work,
    row,
    decideLateFailure(storedTransaction(row), payment && storedTransaction(payment), failure.statusCode),
  )
  if (payment) await giveBalanceBack(work, payment, row.amount ?? 0)
  await raise(work, declined, failure)
  return declined
}

/** Whether another operation on the payment of a refund has no outcome yet. */
export async function isRefundBusy(work: Work, refund: TransactionRow): Promise<boolean> {
  const id = await refundedPaymentOf(work, refund)
  const payment = id === undefined ? undefined : await work.find(resources.transaction, id)
  return payment !== undefined && payment.pending_operation !== null
}

/** Id of the refunded payment; undefined for a credit, and for a refund without a payment. */
export async function refundedPaymentOf(
  work: Work,
  { id, type }: TransactionRow,
): Promise<string | undefined> {
  if (type !== 'refund') return undefined
  const [entry] = await work.tx.run(paymentEntryOf, { id })
  return entry?.assoc_transaction_id ?? undefined
}

const paymentEntryOf = prepared<{ id: string }, { assoc_transaction_id: string | null }>((db, param) =>
  db
    .selectFrom('transaction_ledgers')
    .select('assoc_transaction_id')
    .where('transaction_id', '=', param('id'))
    .where('entry_type', '=', 'payment')
    .limit(1),
)

/**
 * Decides a late failure. New postings and entries cancel those of the refund, because stored rows are never changed.
 */
function decideLateFailure(
  refund: Transaction,
  payment: Transaction | undefined,
  statusCode: string,
): Decision {
  const declined = decideDecline(statusCode === 'approved' ? 'declined' : statusCode)
  const entries =
    payment &&
    ([
      {
        transactionId: payment.id,
        assocTransactionId: refund.id,
        entryType: 'refund',
        amount: refund.amount,
      },
      {
        transactionId: refund.id,
        assocTransactionId: payment.id,
        entryType: 'payment',
        amount: -refund.amount,
      },
    ] as const)
  return {
    ...declined,
    changes: { ...declined.changes, awaiting: null, due_at: null },
    entries: entries ?? [],
    postings: reversed(payoutPostings(refund.amount)),
  }
}

/**
 * Restores the balance of the payment after its refund failed. The merchant is owed the amount again until the payer
 * gets it.
 */
async function giveBalanceBack(work: Work, payment: TransactionRow, amount: Minor): Promise<void> {
  const isWhole = payment.funding_status === 'refunded'
  const wasDeposited = isWhole && (await work.tx.run(depositEntryOf, { id: payment.id })).length > 0
  const { cutOffAt } = await businessDayFor(work, payment)
  const waits = payment.awaiting !== null || (await payoutsOf(work, payment)) !== 'simulated'
  const changed = await changeDecided(work, payment, {
    changes: {
      refunded: (payment.refunded ?? 0) - amount,
      ...(isWhole && { funding_status: wasDeposited ? 'batched' : 'captured' }),
      ...(!waits && { awaiting: 'funding', due_at: cutOffAt }),
    },
    entries: [],
    postings: [],
    events: [],
  })
  await work.asSystem(() => restoreAllocations(work, changed, amount, 'Refund failed'))
}

/** The ledger entry of the deposit that paid the payment out, or of the reversal of a day with a negative sum. */
const depositEntryOf = prepared<{ id: string }, { id: string }>((db, param) =>
  db
    .selectFrom('transaction_ledgers')
    .select('id')
    .where('transaction_id', '=', param('id'))
    .where('entry_type', 'in', ['deposit', 'reversal'])
    .where('amount', '<', 0)
    .limit(1),
)

async function raise(
  work: Work,
  row: TransactionRow,
  { gatewayId, code, statusCode }: LateFailure,
): Promise<void> {
  const money = formatMoney(row.amount ?? 0)
  const isLinked = row.type === 'refund' && (await refundedPaymentOf(work, row)) !== undefined
  await raiseException(work, {
    kind: 'refund_failed',
    about: failureAbout(row.gateway, gatewayId ?? row.id),
    transaction: row,
    amount: row.amount,
    direction: 'paid',
    gatewayId,
    resolutions: isLinked ? ['retry', 'paid_otherwise', 'failed'] : ['failed'],
    notice: JSON.stringify({ failed: gatewayId, amount: row.amount, code }),
    happened: `The gateway had approved the ${row.type} ${gatewayId ?? row.id} of ${money}, and says now that it failed (${code ?? statusCode})`,
    explanation: `The payer has not got the ${money}. This ${row.type} is declined${isLinked ? ', and its balance can be refunded again' : ''}`,
  })
}

/** Key of the exception about a refund that failed late. */
export function failureAbout(gateway: string | null, refund: string): string {
  return `failed ${gateway} ${refund}`
}
