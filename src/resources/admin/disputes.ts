import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, money, oneOf, ref, text } from '../../schema/field.js'

export const addDisputeOperation = adminOperation({
  name: 'add_dispute',
  method: 'POST',
  path: 'admin/disputes',
  summary:
    'record what the bank of a payer did, or how a dispute was answered, if the gateway reports no disputes',
  moves: 'dispute',
  least: 'manager',
  input: {
    event: oneOf(['inquiry', 'chargeback', 'return', 'contested', 'dispute_won', 'dispute_lost'], {
      required: true,
      doc: 'what the bank did; contested: evidence was submitted at the processor',
    }),
    transaction_id: ref('transaction', { required: true, doc: 'the payment' }),
    dispute: text({
      required: true,
      max: 100,
      doc: "the processor's id of the dispute: it is recorded once",
    }),
    amount: money({
      sign: 'positive',
      doc: 'how much the bank took; unless given, amount and convenience fee of the payment',
    }),
    code: text({ max: 3, doc: 'why a bank returned it, as R01' }),
    reason: text({ max: 100, doc: "the processor's word for the payer's reason, as fraudulent" }),
    due_by: datetime({ doc: 'deadline for evidence (UTC)' }),
  },
  object: 'recorded_dispute',
  output: {
    transaction_id: ref('transaction', { doc: 'the payment' }),
    status: text({ doc: 'its status now' }),
    dispute_id: ref('dispute', { doc: 'the dispute' }),
    stage: text({ doc: 'its stage now' }),
    recorded_id: ref('transaction', { doc: 'the chargeback, or its reversal; null where no money moved' }),
    amount: money({ doc: 'its amount' }),
    excess: money({ doc: 'part of the amount beyond the payment, which is a loss' }),
  },
  example: { event: 'chargeback', transaction_id: 'txn_0V8c', dispute: 'dp_1' },
})
