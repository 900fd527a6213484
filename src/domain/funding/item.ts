import type { Minor } from '../../schema/money.js'
import type { TransactionType } from '../ledger/stored.js'

/** A transaction of a processing account that a deposit or a month's bill may have to do with. Amounts in minor units. */
export interface Item {
  readonly id: string
  readonly type: TransactionType
  readonly amount: Minor
  /** What its ledger entries sum to. */
  readonly entered: Minor
  /** The merchant's share of its fee, taken out of a deposit ... */
  readonly fee: Minor
  /** ... or waiting for the month's bill. */
  readonly accruedFee: Minor
  /** Of a payment: what the payer paid on top of the amount. */
  readonly convFee: Minor
  /** Whether its fees have been charged. */
  readonly isCharged: boolean
}

/**
 * What is still to be put into a deposit: what is owed for a payment, and, negatively, what was paid out blindly.
 * Anything else has fees at most. Money: "Ledger, deposits, journal".
 */
export function dueOf({ type, amount, entered }: Item): Minor {
  switch (type) {
    case 'payment':
      return amount + entered
    case 'refund':
    case 'credit':
      return entered - amount
    case 'deposit':
    case 'reversal':
    case 'chargeback':
    case 'chargeback_reversal':
      return 0
  }
}

/** What items come to. Minor units. */
export interface Totals {
  /** How many of them have something due, and what that sums to. */
  readonly entries: number
  readonly entered: Minor
  /** Fees that are not charged yet, by the column they stand in. */
  readonly fee: Minor
  readonly accrued: Minor
  readonly convFee: Minor
}

export const nothingAtAll: Totals = { entries: 0, entered: 0, fee: 0, accrued: 0, convFee: 0 }

export function totalsOf(items: readonly Item[]): Totals {
  return items.map(totalOf).reduce(plus, nothingAtAll)
}

export function plus(a: Totals, b: Totals): Totals {
  return {
    entries: a.entries + b.entries,
    entered: a.entered + b.entered,
    fee: a.fee + b.fee,
    accrued: a.accrued + b.accrued,
    convFee: a.convFee + b.convFee,
  }
}

function totalOf(item: Item): Totals {
  const due = dueOf(item)
  const entered = { entries: due === 0 ? 0 : 1, entered: due }
  return item.isCharged
    ? { ...nothingAtAll, ...entered }
    : { ...entered, fee: item.fee, accrued: item.accruedFee, convFee: item.convFee }
}

/** Items by what is to be done with them. */
export interface Sorted {
  /** Something is due: it stands in the deposit. */
  readonly entering: readonly Item[]
  /** Only fees are to be charged: it was refunded or rejected before a deposit, or it is a chargeback. */
  readonly lone: readonly Item[]
  /** Nothing is to be done any more. */
  readonly idle: readonly Item[]
}

export function sorted(items: readonly Item[]): Sorted {
  const still = items.filter((item) => dueOf(item) === 0)
  return {
    entering: items.filter((item) => dueOf(item) !== 0),
    lone: still.filter(hasFees),
    idle: still.filter((item) => !hasFees(item)),
  }
}

function hasFees({ isCharged, fee, accruedFee, convFee }: Item): boolean {
  return !isCharged && fee + accruedFee + convFee > 0
}
