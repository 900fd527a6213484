import { datetime, money, oneOf, ref } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'

/** Spec: "Transaction ledger entry". */
export const transactionLedger = resource({
  name: 'transaction_ledger',
  plural: 'transaction_ledgers',
  prefix: 'lgr_',
  summary: 'A relation of a transaction to another, with the amount it moved.',
  fields: {
    amount: money({
      sign: 'any',
      doc: 'positive or negative as the associated transaction is a credit or a debit relative to its parent',
    }),
    assoc_transaction_id: ref('transaction', { required: true, doc: 'the associated transaction' }),
    entry_type: oneOf(
      ['payment', 'deposit', 'reversal', 'refund', 'credit', 'chargeback', 'chargeback_reversal'],
      {
        readonly: true,
        doc: 'the type of the associated transaction',
      },
    ),
    transaction_id: ref('transaction', { required: true, doc: 'the transaction the entry belongs to' }),
    timestamp: datetime({ doc: 'when the entry was made' }),
  },
  refuses: {
    POST: 'Ledger entries are written by payments and refunds',
    PUT: 'Ledger entries are written by payments and refunds',
    DELETE: 'Ledger entries are written by payments and refunds',
  },
  ownership: [{ kind: 'parent', column: 'transaction_id', resource: 'transaction' }],
  moves: 'nothing',
  least: 'cashier',
  seals: MONEY,
  unlogged: 'Entries follow from transactions, whose changes have lines',
  columns: ['id', 'entry_type', 'amount', 'assoc_transaction_id', 'timestamp'],
  indexes: [['transaction_id'], ['assoc_transaction_id']],
})
