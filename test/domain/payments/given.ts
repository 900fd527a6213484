import type { Status, Transaction } from '../../../src/domain/ledger/stored-transaction.js'
import type { Today } from '../../../src/domain/payments/pending/today.js'

export const STATUSES: readonly Status[] = [
  'authorized',
  'processing',
  'processed',
  'declined',
  'voided',
  'rejected',
]

/** The business day on which the tests record changes; its cut-off in UTC. */
export const TODAY: Today = { date: '2030-01-31', cutOffAt: '2030-02-01 00:00:00' }

/** A processed payment of 29.99 with the given changes. */
export function aPayment(changes: Partial<Transaction> = {}): Transaction {
  return {
    id: 'txn_payment',
    type: 'payment',
    status: 'processed',
    fundingStatus: 'pending',
    processingId: 'acct_1',
    amount: 2999,
    convFee: 0,
    fee: 117,
    accruedFee: 0,
    refunded: 0,
    chargedBack: 0,
    allocated: 0,
    riskFlag: 'allowed',
    requestedStatus: 'processed',
    isAutomatic: false,
    pendingOperation: null,
    ...changes,
  }
}
