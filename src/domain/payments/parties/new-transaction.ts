import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import { flatten } from '../../../engine/core/write/flatten.js'
import { refuseMissing } from '../../../engine/core/write/readonly.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import type { InputFor } from '../../../schema/types.js'
import { webAddressProblem } from '../../../schema/web-address.js'
import { refNumber } from './ref-number.js'

export type TransactionInput = InputFor<typeof resources.transaction>

/** A row with the attributes that the client sent, before any decision. Throws `InvalidAttributes`. */
export function newTransaction(work: Work, input: TransactionInput): TransactionRow {
  if (input.receipts && input.receipts.length > 0)
    throw invalidAttributes({ receipts: 'Are made at their own path' })
  refuseReturn(input)
  const row = work.blank(resources.transaction)
  const transaction = work.model.of(resources.transaction)
  flatten(transaction, row.id, input, work.vault, row)
  Object.assign(row, NOTHING_MOVED, { ref_number: refNumber(row.id) })
  refuseMissing(transaction, row)
  return row
}

/** Refuses a `return_url` that would not be allowed as the redirect address of a payment link. */
function refuseReturn({ return_url: address }: Pick<TransactionInput, 'return_url'>): void {
  const problem = address ? webAddressProblem(address, 'redirect') : undefined
  if (problem !== undefined) throw invalidAttributes({ return_url: problem })
}

/** Columns of a transaction that no client requests, before any decision. */
type SystemTransactionColumns = Partial<TransactionRow> &
  Pick<TransactionRow, 'type' | 'amount' | 'processing_id'>

/** The row of a transaction that follows from others: a deposit, a reversal, a chargeback. */
export function systemTransaction(work: Work, columns: SystemTransactionColumns): TransactionRow {
  const blank = work.blank(resources.transaction)
  return { ...blank, ...NOTHING_MOVED, ref_number: refNumber(blank.id), ...columns }
}

/** Processing account, customer and payment method of a payment, for the transactions that follow from it. */
export function partiesOf({
  processing_id,
  customer_id,
  payment_method_id,
}: TransactionRow): Pick<TransactionRow, 'processing_id' | 'customer_id' | 'payment_method_id'> {
  return { processing_id, customer_id, payment_method_id }
}

/** Sums of a transaction that has no postings yet. */
const NOTHING_MOVED = {
  fee: 0,
  conv_fee: 0,
  accrued_fee: 0,
  refunded: 0,
  charged_back: 0,
  allocated: 0,
} satisfies Partial<TransactionRow>
