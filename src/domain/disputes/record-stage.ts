import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import type { DisputeRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { DisputeState } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf } from '../../schema/datetime.js'
import type { Minor } from '../../schema/money.js'
import { changeDispute, disputeOf, noteDispute } from './note-dispute.js'

/** Milliseconds after which an open dispute is read from its gateway again. */
const READ_EVERY = 6 * 3_600_000

/** Facts about a dispute that an operator has read at the processor and enters by hand. */
export interface RecordedFacts {
  /** Minor units. */
  readonly amount?: Minor | undefined
  readonly reason?: string | undefined
  /** Datetime. */
  readonly dueBy?: string | undefined
}

/** Columns for the facts that are given. Omitted facts change no columns. */
export function columnsOfFacts({ amount, reason, dueBy }: RecordedFacts) {
  return {
    ...(amount !== undefined && { amount }),
    ...(reason !== undefined && { reason }),
    ...(dueBy !== undefined && { due_by: dueBy }),
  }
}

/** Records that the payer's bank inquires about a payment: no money moves, and the payment stays refundable. */
export async function recordInquiry(
  work: Work,
  payment: TransactionRow,
  reference: string,
  facts: RecordedFacts,
): Promise<DisputeRow> {
  const isTaken = payment.status === 'processed' || payment.status === 'rejected'
  if (payment.type !== 'payment' || !isTaken)
    throw invalidAttributes({ transaction_id: 'Only a payment that was processed is disputed' })
  const known = await disputeOf(work, payment, reference)
  if (known && known.transaction_id !== payment.id)
    throw invalidAttributes({ dispute: 'Is that of another payment' })
  if (known && known.stage !== 'inquiry') throw invalidAttributes({ dispute: `Is ${known.stage} already` })
  const amount = facts.amount ?? known?.amount ?? payment.amount ?? 0
  return await noteDispute(work, payment, reference, {
    ...columnsOfFacts({ ...facts, amount }),
    stage: 'inquiry',
  })
}

/** Records that evidence was submitted at the processor, or that a dispute was lost there. */
export async function recordByHand(
  work: Work,
  payment: TransactionRow,
  reference: string,
  event: 'contested' | 'dispute_lost',
): Promise<DisputeRow> {
  const row = await disputeOf(work, payment, reference)
  if (!row || row.transaction_id !== payment.id) throw invalidAttributes({ dispute: 'Not found' })
  if (row.stage === 'won' || row.stage === 'lost')
    throw invalidAttributes({ dispute: `Is ${row.stage} already` })
  if (event === 'contested')
    return await work.asSystem(() =>
      changeDispute(work, row, {
        stage: row.stage === 'inquiry' ? 'inquiry' : 'under_review',
        answer: 'contest',
        answered_at: work.now,
      }),
    )
  if (row.chargeback_id === null)
    throw invalidAttributes({ dispute: 'Has taken no money: record the chargeback first' })
  return await work.asSystem(() => changeDispute(work, row, { stage: 'lost', read_at: null }))
}

/**
 * Records the state of a dispute as its gateway reports it. The caller has recorded the money that the dispute has
 * moved.
 */
export async function recordDisputeState(
  work: Work,
  payment: TransactionRow,
  state: DisputeState,
): Promise<DisputeRow> {
  const { dispute, stage, amount, reason, fee, dueBy, isAnswered } = state
  const known = await disputeOf(work, payment, dispute)
  const isOver = stage === 'won' || stage === 'lost'
  const answered =
    isAnswered && (known?.answered_at ?? null) === null
      ? ({ answer: known?.answer ?? 'contest', answered_at: work.now } as const)
      : {}
  return await noteDispute(work, payment, dispute, {
    stage,
    amount,
    due_by: dueBy,
    read_at: isOver ? null : datetimeOf(work.milliseconds + READ_EVERY),
    ...(reason !== null && { reason }),
    ...(fee !== null && { fee }),
    ...answered,
  })
}

/** The payment of a dispute. */
export async function paymentOfDispute(work: Work, row: DisputeRow): Promise<TransactionRow> {
  const payment = await work.find(resources.transaction, row.transaction_id ?? '')
  if (!payment) throw new Error(`The payment of ${row.id} is gone`)
  return payment
}
