import type { Minor } from '../../schema/money.js'
import type { Decision } from '../ledger/decision.js'
import { mirrored } from '../ledger/ledger.js'
import { takenBackPostings } from '../ledger/postings.js'
import type { Transaction } from '../ledger/stored.js'

/**
 * What is still due to the processing account for a payment, by the sum of its ledger entries; below zero: more was
 * deposited than it is worth now. Money: "Ledger, deposits, journal".
 */
export function owedOf({ amount }: Pick<Transaction, 'amount'>, entered: Minor): Minor {
  return amount + entered
}

/** Takes back what of a payment was deposited too much, so that nothing is owed on either side. */
export function decideReversal(
  payment: Pick<Transaction, 'id' | 'type'>,
  reversal: Pick<Transaction, 'id' | 'amount'>,
  today: string,
): Decision {
  return {
    changes: { status: 'processed', status_code: 'taken_back', processed_date: today },
    entries: mirrored(payment, { id: reversal.id, type: 'reversal' }, reversal.amount),
    postings: takenBackPostings(reversal.amount),
    events: ['reversal'],
  }
}
