import { invalidAttributes } from '../../engine/core/request/errors.js'
import { flatten } from '../../engine/core/write/flatten.js'
import { refuseMissing } from '../../engine/core/write/readonly.js'
import type { InputByName, Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/index.js'
import { refNumber } from './ref-number.js'

export type TransactionInput = InputByName['transaction']

/** A row with what the client sent in the transaction's own columns; nothing is decided yet. Throws `InvalidAttributes`. */
export function describedTransaction(work: Work, input: TransactionInput): TransactionRow {
  if (input.receipts && input.receipts.length > 0)
    throw invalidAttributes({ receipts: 'Are made at their own path' })
  const blank = work.blank('transaction')
  const { columns } = flatten(resources.transaction, 'transactions', blank.id, { ...input }, work.vault)
  const row: TransactionRow = { ...blank, ...columns, ...NOTHING_MOVED, ref_number: refNumber(blank.id) }
  refuseMissing(resources.transaction, { ...row })
  return row
}

/** Sums of a transaction that has moved nothing yet. */
export const NOTHING_MOVED = {
  fee: 0,
  conv_fee: 0,
  accrued_fee: 0,
  refunded: 0,
  charged_back: 0,
  allocated: 0,
} satisfies Partial<TransactionRow>
