import type { Minor } from '../../schema/money.js'
import type { TransactionType } from '../ledger/stored-transaction.js'

/** A transaction that a deposit or a month's bill may have to include. Amounts in minor units. */
export interface FundingItem {
  readonly id: string
  readonly type: TransactionType
  readonly amount: Minor
  /** The sum of the transaction's ledger entries. */
  readonly ledgerSum: Minor
  /** The merchant's share of the transaction's fee, if it is taken out of a deposit. */
  readonly fee: Minor
  /** The merchant's share of the transaction's fee, if it waits for the month's bill. */
  readonly accruedFee: Minor
  /** Convenience fee that the payer paid on top of the amount. */
  readonly convFee: Minor
  /** Whether a batch has charged the fees of the transaction. */
  readonly isCharged: boolean
}

/**
 * Amount that a deposit still has to include for a transaction. For a payment it is the amount still owed to the
 * merchant. For a credit, or a refund without a payment, it is the amount paid out, as a negative number. It is 0 for
 * other types: they have fees at most. See docs/money.md, "Cut-off and deposits".
 */
export function dueOf({ type, amount, ledgerSum }: FundingItem): Minor {
  switch (type) {
    case 'payment':
      return amount + ledgerSum
    case 'refund':
    case 'credit':
      return ledgerSum - amount
    case 'deposit':
    case 'reversal':
    case 'chargeback':
    case 'chargeback_reversal':
      return 0
  }
}

/** Sums over items. Minor units. */
export interface FundingTotals {
  /** Number of items with an amount due, and its sum. */
  readonly entries: number
  readonly due: Minor
  /** Fees that are not charged yet, by the column that holds them. */
  readonly fee: Minor
  readonly accrued: Minor
  readonly convFee: Minor
}

export const noTotals: FundingTotals = { entries: 0, due: 0, fee: 0, accrued: 0, convFee: 0 }

export function totalsOf(items: readonly FundingItem[]): FundingTotals {
  return items.map(totalOf).reduce(addTotals, noTotals)
}

export function addTotals(a: FundingTotals, b: FundingTotals): FundingTotals {
  return {
    entries: a.entries + b.entries,
    due: a.due + b.due,
    fee: a.fee + b.fee,
    accrued: a.accrued + b.accrued,
    convFee: a.convFee + b.convFee,
  }
}

function totalOf(item: FundingItem): FundingTotals {
  const due = dueOf(item)
  const entry = { entries: due === 0 ? 0 : 1, due }
  return item.isCharged
    ? { ...noTotals, ...entry }
    : { ...entry, fee: item.fee, accrued: item.accruedFee, convFee: item.convFee }
}

/** Items, sorted by what is left to do for them. */
export interface SortedItems {
  /** Items with an amount due: the deposit includes them. */
  readonly due: readonly FundingItem[]
  /** Items with only fees to charge: payments that were refunded or rejected before a deposit, and chargebacks. */
  readonly feeOnly: readonly FundingItem[]
  /** Items with no amount and no fee left. */
  readonly settled: readonly FundingItem[]
}

export function sortItems(items: readonly FundingItem[]): SortedItems {
  const rest = items.filter((item) => dueOf(item) === 0)
  return {
    due: items.filter((item) => dueOf(item) !== 0),
    feeOnly: rest.filter(hasFees),
    settled: rest.filter((item) => !hasFees(item)),
  }
}

function hasFees({ isCharged, fee, accruedFee, convFee }: FundingItem): boolean {
  return !isCharged && fee + accruedFee + convFee > 0
}
