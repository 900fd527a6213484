import { invalidAttributes } from '../../engine/core/request/errors.js'
import { flatten } from '../../engine/core/write/flatten.js'
import { refuseMissing } from '../../engine/core/write/readonly.js'
import type { InputByName, Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/index.js'
import { refNumber } from './ref-number.js'

export type TransactionInput = InputByName['transaction']

/** A row with what the client sent in the transaction's own columns; nothing is decided yet. */
export function newTransaction(work: Work, input: TransactionInput): TransactionRow {
  if (input.receipts && input.receipts.length > 0)
    throw invalidAttributes({ receipts: 'Are made at their own path' })
  const row = work.blank('transaction')
  const { columns } = flatten(resources.transaction, 'transactions', row.id, { ...input }, work.vault)
  Object.assign(row, columns, {
    ref_number: refNumber(row.id),
    fee: 0,
    conv_fee: 0,
    accrued_fee: 0,
    refunded: 0,
    charged_back: 0,
    allocated: 0,
  } satisfies Partial<TransactionRow>)
  refuseMissing(resources.transaction, { ...row })
  return row
}
