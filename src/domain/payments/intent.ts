import type { Work } from '../../engine/core/write/work.js'
import type { AccountRow, ProcessingSettingsRow, TransactionRow } from '../../engine/store/database/tables.js'
import { feesOf, methodKind, NO_FEES, priceOf } from '../ledger/fees.js'
import { newTransaction, type TransactionInput } from './new-transaction.js'
import type { Payer } from './payer.js'
import { statusMessage } from './status-message.js'

/** What begins with a payment method: payments to capture now or later, blind refunds and credits. */
export interface Beginning {
  readonly type: 'payment' | 'refund' | 'credit'
  /** What an approved answer leads to. */
  readonly askedStatus: 'processed' | 'authorized'
  /** Nobody asked for it: an invoice of a schedule is due. */
  readonly isAutomatic?: boolean
}

/** Everyone whom a transaction concerns. */
export interface Parties extends Payer {
  readonly account: AccountRow
  readonly settings: ProcessingSettingsRow
}

/** The row as it is before anybody has said anything of it. */
export function intent(
  work: Work,
  input: TransactionInput,
  { type, askedStatus, isAutomatic }: Beginning,
  { customer, method, account, settings }: Parties,
): TransactionRow {
  const row = newTransaction(work, input)
  const fees = type === 'payment' ? feesOf(row.amount ?? 0, priceOf(settings, methodKind(method))) : NO_FEES
  return Object.assign(row, {
    type,
    status: 'processing',
    status_message: statusMessage(null),
    funding_status: 'pending',
    asked_status: askedStatus,
    automatic: isAutomatic ? 1 : null,
    customer_id: customer?.id ?? null,
    payment_method_id: method.id,
    processing_id: account.id,
    conv_fee: fees.convFee,
    fee: fees.fee,
    accrued_fee: fees.accrued,
    source: row.source ?? 'keyed',
  } satisfies Partial<TransactionRow>)
}
