import { adminOperation } from '../../schema/admin-operation.js'
import { money, oneOf, ref, text } from '../../schema/field.js'

/** Events of a payer's bank that can be simulated. */
const SIMULATED_EVENTS = ['inquiry', 'chargeback', 'return', 'dispute_won', 'dispute_lost'] as const

export type SimulatedEvent = (typeof SIMULATED_EVENTS)[number]

export const simulateOperation = adminOperation({
  name: 'simulate',
  method: 'POST',
  path: 'admin/simulate',
  summary:
    'let the bank of a payer act in the test environment: an inquiry, a chargeback, a return, a dispute that is won or lost',
  moves: 'dispute',
  least: 'manager',
  testOnly: true,
  input: {
    event: oneOf(SIMULATED_EVENTS, {
      required: true,
      doc: 'what the bank does',
    }),
    transaction_id: ref('transaction', { required: true, doc: 'the payment' }),
    amount: money({
      sign: 'positive',
      doc: 'how much the bank takes; unless given, amount and convenience fee of the payment',
    }),
    code: text({ max: 3, doc: 'why a bank returns it, as R01' }),
  },
  object: 'simulation',
  output: {
    transaction_id: ref('transaction', { doc: 'the payment' }),
    status: text({ doc: 'its status now' }),
    status_code: text({ doc: 'the reason for its status' }),
    funding_status: text({ doc: 'its funding status now' }),
    dispute_id: ref('dispute', { doc: 'the dispute' }),
    stage: text({ doc: 'its stage now' }),
    recorded_id: ref('transaction', { doc: 'the chargeback, or its reversal; null where no money moved' }),
    type: text({ doc: 'type of the recorded transaction' }),
    amount: money({ doc: 'its amount' }),
    fee: money({ doc: 'what the processing account is charged for it' }),
  },
})
