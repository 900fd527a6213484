import type { Minor } from '../../schema/money.js'
import type { Transaction, TransactionType } from './stored-transaction.js'

/** An entry of the transaction ledger, before it has an id. Spec: "Transaction ledger entry". */
export interface LedgerEntry {
  readonly transactionId: string
  readonly assocTransactionId: string
  readonly entryType: TransactionType
  readonly amount: Minor
}

type Related = Pick<Transaction, 'id' | 'type'>

/**
 * Sign of the ledger entry by which a related transaction changes its parent's amount. See docs/money.md, "Ledger and
 * journal".
 */
const SIGNS: Readonly<Record<Exclude<TransactionType, 'payment' | 'credit'>, 1 | -1>> = {
  deposit: -1,
  refund: -1,
  chargeback: -1,
  reversal: 1,
  chargeback_reversal: 1,
}

/**
 * The two contra entries of a relation: the amount that `child` takes from (or gives to) `parent`, seen from both
 * sides.
 */
export function contraEntries(
  parent: Related,
  child: Related & { readonly type: keyof typeof SIGNS },
  amount: Minor,
): LedgerEntry[] {
  const signed = SIGNS[child.type] * amount
  return [
    { transactionId: parent.id, assocTransactionId: child.id, entryType: child.type, amount: signed },
    { transactionId: child.id, assocTransactionId: parent.id, entryType: parent.type, amount: -signed },
  ]
}

/**
 * Amount still due to the processing account for a payment, by the sum of its ledger entries. Below zero, more was
 * deposited than the payment is worth now. See docs/money.md, "Ledger and journal".
 */
export function owedOf({ amount }: Pick<Transaction, 'amount'>, entered: Minor): Minor {
  return amount + entered
}
