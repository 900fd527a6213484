import { adminOperation } from '../../schema/admin-operation.js'
import { money, oneOf, ref, text } from '../../schema/field.js'

export const addDisputeOperation = adminOperation({
  name: 'add_dispute',
  method: 'POST',
  path: 'admin/disputes',
  summary: 'record what the bank of a payer did, for gateways that tell of no disputes',
  moves: 'dispute',
  least: 'manager',
  input: {
    event: oneOf(['chargeback', 'return', 'dispute_won'], { required: true, doc: 'what the bank did' }),
    transaction_id: ref('transaction', { required: true, doc: 'the payment' }),
    dispute: text({
      required: true,
      max: 100,
      doc: "the processor's id of the dispute: it is recorded once",
    }),
    amount: money({ sign: 'positive', doc: 'how much it took; unless given, amount and convenience fee' }),
    code: text({ max: 3, doc: 'why a bank returned it, as R01' }),
  },
  object: 'dispute',
  output: {
    transaction_id: ref('transaction', { doc: 'the payment' }),
    status: text({ doc: 'its status now' }),
    recorded_id: ref('transaction', { doc: 'the chargeback, or its reversal' }),
    amount: money({ doc: 'its amount' }),
    excess: money({ doc: 'what of it is beyond the payment, and a loss' }),
  },
  example: { event: 'chargeback', transaction_id: 'txn_0V8c', dispute: 'dp_1' },
})
