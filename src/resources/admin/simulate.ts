import { adminOperation } from '../../schema/admin-operation.js'
import { money, oneOf, ref, text } from '../../schema/field.js'

export const simulateOperation = adminOperation({
  name: 'simulate',
  method: 'POST',
  path: 'admin/simulate',
  summary:
    'let the bank of a payer act in the test environment: a chargeback, a return, a dispute that is won',
  moves: 'dispute',
  least: 'manager',
  testOnly: true,
  input: {
    event: oneOf(['chargeback', 'return', 'dispute_won'], { required: true, doc: 'what the bank does' }),
    transaction_id: ref('transaction', { required: true, doc: 'the payment' }),
    amount: money({ sign: 'positive', doc: 'how much it takes; unless given, amount and convenience fee' }),
    code: text({ max: 3, doc: 'why a bank returns it, as R01' }),
  },
  object: 'simulation',
  output: {
    transaction_id: ref('transaction', { doc: 'the payment' }),
    status: text({ doc: 'its status now' }),
    status_code: text({ doc: 'and why' }),
    funding_status: text({ doc: 'its funding status now' }),
    recorded_id: ref('transaction', { doc: 'the chargeback, or its reversal' }),
    type: text({ doc: 'the type of that' }),
    amount: money({ doc: 'its amount' }),
    fee: money({ doc: 'what the processing account is charged for it' }),
  },
})
