import type {
  EventRow,
  LedgerRow,
  LineItemRow,
  PaymentMethodRow,
  PostingRow,
  ReceiptRow,
  TransactionRow,
} from '../../engine/store/database/tables.js'
import type { CutOff } from '../../platform/calendar/cut-off.js'
import type { Payouts } from '../ledger/payouts.js'
import type { Charged } from './unindexed.js'

/** The sum of ledger entries. Minor units. */
export interface Sum {
  readonly count: number
  readonly amount: number
}

/** Another transaction that one names, or that names it. */
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

/** When the business days of a transaction's account end, and how it is paid. */
export interface Days {
  readonly cutOff: CutOff
  readonly payouts: Payouts
  /** When the account or its organization was last changed: days before that may have ended at another time. */
  readonly changedAt: string
}

/** A transaction and everything that the database says about it. */
export interface TransactionHistory {
  readonly row: TransactionRow
  /** The transactions that it, or one of its entries, names. */
  readonly related: ReadonlyMap<string, Related>
  readonly method: UsedMethod | undefined
  readonly receipts: readonly Pick<ReceiptRow, 'id' | 'type' | 'created_at'>[]
  readonly days: Days | undefined
  /** Whether it is recorded as an attempt to collect an invoice. */
  readonly isAttempt: boolean
  /** Its ledger entries, and those of others that name it. Empty for settlements, which have many: only their sums are read. */
  readonly entries: readonly LedgerRow[]
  readonly contraEntries: readonly LedgerRow[]
  readonly entered: Sum
  readonly contra: Sum
  readonly charged: Charged
  readonly postings: readonly PostingRow[]
  readonly events: readonly EventRow[]
  /** The line items of invoices by which it pays them. */
  readonly items: readonly LineItemRow[]
  /** Whether it is a settlement: a day's deposit or reversal, or a month's bill. */
  readonly isBatch: boolean
}

/** Whether the funding run pays the account of a transaction; otherwise only what gateways report is booked. */
export function isFunded({ days }: TransactionHistory): boolean {
  return (days?.payouts ?? 'simulated') === 'simulated'
}

/**
 * Whether it has a funding status: payments, credits and blind refunds are funded by themselves, everything else is part of
 * another transaction.
 */
export function hasFundingStatus({ row, entries }: TransactionHistory): boolean {
  if (row.type === 'payment' || row.type === 'credit') return true
  if (row.type !== 'refund') return false
  const names =
    row.pending_operation?.startsWith('refund:') || entries.some((entry) => entry.entry_type === 'payment')
  return !names
}
