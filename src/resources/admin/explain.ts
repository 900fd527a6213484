import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, json, money, oneOf, ref, rows, text } from '../../schema/field.js'

export const explainTransactionOperation = adminOperation({
  name: 'explain_transaction',
  method: 'GET',
  path: 'admin/explain',
  summary: 'show everything that happened to a transaction, and where its money is',
  moves: 'nothing',
  least: 'viewer',
  input: { transaction_id: ref('transaction', { required: true, doc: 'the transaction' }) },
  object: 'explanation',
  output: {
    transaction_id: ref('transaction', { doc: 'the transaction' }),
    type: text({ doc: 'its type' }),
    amount: money({ doc: 'its amount' }),
    status: text({ doc: 'its status' }),
    funding_status: text({ doc: 'its funding status' }),
    processing_id: ref('processing_account', { doc: 'the processing account' }),
    refundable: money({ doc: 'how much of it can still be refunded' }),
    allows: json({ doc: 'what its state allows: refund, void, capture' }),
    timezone: text({
      doc: 'the time zone of its organization, in which its business days end; times are in UTC',
    }),
    whereabouts: text({ doc: 'where the money is, and why it is not in the bank yet' }),
    steps: rows(
      {
        at: datetime({ doc: 'when (UTC)' }),
        kind: oneOf(['event', 'ledger', 'journal', 'invoice', 'delivery'], { doc: 'where it is recorded' }),
        what: text({ doc: 'what happened' }),
        amount: money({ sign: 'any', doc: 'how much moved' }),
        related_id: text({ doc: 'the other object: a transaction, an invoice, a webhook' }),
        by: text({ doc: 'who did it: the id of a key, or the operator' }),
      },
      { doc: 'what happened, in order' },
    ),
  },
})
