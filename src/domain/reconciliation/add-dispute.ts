import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules } from '../../engine/core/write/rule.js'
import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { addDisputeOperation } from '../../resources/admin/disputes.js'
import { resources } from '../../resources/resource-table.js'
import { isReturn } from '../../schema/status-codes.js'
import type { InputOf } from '../../schema/types.js'
import { disputeOf, noteDispute } from '../disputes/note-dispute.js'
import { recordChargeback } from '../disputes/record-chargeback.js'
import { recordDisputeWon } from '../disputes/record-dispute-won.js'
import { columnsOfFacts, type RecordedFacts, recordByHand, recordInquiry } from '../disputes/record-stage.js'

type GivenEvent = InputOf<typeof addDisputeOperation.input>

/** An event that an operator has read at a processor. */
interface HandEvent extends RecordedFacts {
  readonly event: 'inquiry' | 'chargeback' | 'return' | 'contested' | 'dispute_won' | 'dispute_lost'
  readonly dispute: string
  readonly statusCode: string
}

/**
 * Records a dispute that an operator has read at a processor. The bank has decided it, so it is booked as the operator
 * enters it.
 */
export const disputeRules: Pick<AdminRules, 'add_dispute'> = {
  add_dispute: {
    async perform(work, input) {
      const payment = await work.find(resources.transaction, input.transaction_id ?? '')
      if (!payment) throw invalidAttributes({ transaction_id: 'Not found' })
      const event = eventIn(input)
      const recorded = await recordEvent(work, payment, event)
      const after = await work.refresh(resources.transaction, payment.id)
      const noted = await disputeOf(work, payment, event.dispute)
      return {
        transaction_id: after.id,
        status: after.status,
        dispute_id: noted?.id ?? null,
        stage: noted?.stage ?? null,
        recorded_id: recorded?.id ?? null,
        amount: recorded?.amount ?? noted?.amount ?? null,
        excess: recorded?.excess ?? 0,
      }
    },
  },
}

/** Events that may have an amount. */
const WITH_AMOUNT: ReadonlySet<string> = new Set(['inquiry', 'chargeback', 'return'])

/** The event of an input. Throws `InvalidAttributes`. */
function eventIn({ event, dispute, amount, code, reason, due_by: dueBy }: GivenEvent): HandEvent {
  if (!dispute) throw invalidAttributes({ dispute: 'Required' })
  if (!event) throw invalidAttributes({ event: 'Required' })
  const facts = { amount: amount ?? undefined, reason: reason ?? undefined, dueBy: dueBy ?? undefined }
  if (facts.amount !== undefined && !WITH_AMOUNT.has(event))
    throw invalidAttributes({ amount: 'A dispute is won as a whole' })
  if (event !== 'return') return { ...facts, event, dispute, statusCode: 'chargeback' }
  const statusCode = code ?? 'R01'
  if (!isReturn(statusCode)) throw invalidAttributes({ code: 'Must be as R01' })
  return { ...facts, event, dispute, statusCode }
}

/** Returns the transaction that moved the money, if any has moved. */
async function recordEvent(
  work: Work,
  payment: TransactionRow,
  { event, dispute, statusCode, ...facts }: HandEvent,
): Promise<TransactionRow | undefined> {
  switch (event) {
    case 'inquiry':
      await recordInquiry(work, payment, dispute, facts)
      return undefined
    case 'contested':
    case 'dispute_lost':
      await recordByHand(work, payment, dispute, event)
      return undefined
    case 'dispute_won':
      return await recordDisputeWon(work, payment.id, dispute)
    case 'chargeback':
    case 'return': {
      const { amount } = facts
      const recorded = await recordChargeback(work, { paymentId: payment.id, dispute, statusCode, amount })
      await noteDispute(work, payment, dispute, columnsOfFacts({ ...facts, amount: undefined }))
      return recorded
    }
  }
}
