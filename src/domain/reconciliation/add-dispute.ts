import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules } from '../../engine/core/write/rule.js'
import { resources } from '../../resources/resource-table.js'
import { recordChargeback } from '../disputes/record-chargeback.js'
import { recordDisputeWon } from '../disputes/record-dispute-won.js'
import { isReturn } from '../payments/status-codes.js'

/** Records a dispute that an operator has read at a processor. It is the bank's word, so it is booked as given. */
export const disputeRules: Pick<AdminRules, 'add_dispute'> = {
  add_dispute: {
    async perform(work, { event, transaction_id: id, dispute, amount, code }) {
      const payment = await work.find(resources.transaction, id ?? '')
      if (!payment) throw invalidAttributes({ transaction_id: 'Not found' })
      if (!dispute) throw invalidAttributes({ dispute: 'Required' })
      if (event === 'dispute_won' && amount !== undefined && amount !== null)
        throw invalidAttributes({ amount: 'A dispute is won as a whole' })
      const statusCode = event === 'return' ? (code ?? 'R01') : 'chargeback'
      if (event === 'return' && !isReturn(statusCode)) throw invalidAttributes({ code: 'Must be as R01' })
      const recorded =
        event === 'dispute_won'
          ? await recordDisputeWon(work, payment.id, dispute)
          : await recordChargeback(work, {
              paymentId: payment.id,
              dispute,
              statusCode,
              amount: amount ?? undefined,
            })
      const after = await work.refresh(resources.transaction, payment.id)
      return {
        transaction_id: after.id,
        status: after.status,
        recorded_id: recorded.id,
        amount: recorded.amount,
        excess: recorded.excess ?? 0,
      }
    },
  },
}
