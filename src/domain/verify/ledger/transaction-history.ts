import type {
  EventRow,
  LedgerRow,
  LineItemRow,
  PaymentMethodRow,
  PostingRow,
  ReceiptRow,
  TransactionRow,
} from '../../../engine/store/database/tables.js'
import type { CutOff } from '../../../platform/calendar/cut-off.js'
import type { Payouts } from '../../ledger/payouts.js'
import type { Charged } from './unindexed.js'

/** Count and sum of ledger entries; `amount` in minor units. */
export interface Sum {
  readonly count: number
  readonly amount: number
}

/** A transaction at the other end of a reference, in either direction. */
export type Related = Pick<TransactionRow, (typeof RELATED_COLUMNS)[number]>

export const RELATED_COLUMNS = [
  'id',
  'type',
  'status',
  'amount',
  'conv_fee',
  'processing_id',
  'customer_id',
  'payment_method_id',
  'period',
  'pending_operation',
  'dispute',
  'settlement_id',
] as const

/** The payment method of a transaction, as far as money is concerned. */
export type UsedMethod = Pick<PaymentMethodRow, (typeof METHOD_COLUMNS)[number]>

export const METHOD_COLUMNS = [
  'id',
  'type',
  'account_id',
  'card__card_number_hash',
  'bank_account__account_number_hash',
] as const

/** End of the business days of a transaction's account, and the way in which the account is paid out. */
export interface Days {
  readonly cutOff: CutOff
  readonly payouts: Payouts
  /** Time of the last change of the account or its organization: earlier days may have ended at another time. */
  readonly changedAt: string
}

/** A transaction and everything that the database says about it. */
export interface TransactionHistory {
  readonly row: TransactionRow
  /** Transactions that this one, or one of its entries, names. */
  readonly related: ReadonlyMap<string, Related>
  readonly method: UsedMethod | undefined
  readonly receipts: readonly Pick<ReceiptRow, 'id' | 'type' | 'created_at'>[]
  readonly days: Days | undefined
  /** Whether the transaction is recorded as an attempt to collect an invoice. */
  readonly isAttempt: boolean
  /**
   * Ledger entries of the transaction, and `contraEntries` of others that name it. Both are empty if `isBatch`: such a
   * transaction has many, and only their sums are read.
   */
  readonly entries: readonly LedgerRow[]
  readonly contraEntries: readonly LedgerRow[]
  readonly entered: Sum
  readonly contra: Sum
  readonly charged: Charged
  readonly postings: readonly PostingRow[]
  readonly events: readonly EventRow[]
  /** Line items of invoices that this transaction pays. */
  readonly items: readonly LineItemRow[]
  /** Whether the transaction covers a period: a day's deposit or reversal, or a month's bill. */
  readonly isBatch: boolean
}

/** Whether the funding run pays the account of a transaction; otherwise only what gateways report is booked. */
export function isFunded({ days }: TransactionHistory): boolean {
  return (days?.payouts ?? 'simulated') === 'simulated'
}

/**
 * Whether the transaction has a funding status. Payments, credits and blind refunds are funded by themselves; every
 * other type is part of another transaction.
 */
export function hasFundingStatus({ row, entries }: TransactionHistory): boolean {
  if (row.type === 'payment' || row.type === 'credit') return true
  if (row.type !== 'refund') return false
  const names =
    row.pending_operation?.startsWith('refund:') || entries.some((entry) => entry.entry_type === 'payment')
  return !names
}
