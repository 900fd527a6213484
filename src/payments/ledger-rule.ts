import { ApiError } from '../core/errors.js'
import type { Rule } from '../core/work.js'

/** Entries are written by the rules alone; a tree may send them back as they are. Money: "Ledger, deposits, journal". */
export const transactionLedgerRule: Rule<'transaction_ledger'> = {
  create: async () => {
    throw readOnly()
  },
  async update(_work, row, input) {
    const { id: _id, object: _object, attrs, ...columns }: Record<string, unknown> = { ...input }
    const stored: Readonly<Record<string, unknown>> = row
    const isSame = Object.entries(columns).every(
      ([name, value]) => value === undefined || stored[name] === value,
    )
    if (!isSame || (attrs !== undefined && JSON.stringify(attrs) !== (row.attrs ?? 'null'))) throw readOnly()
    return row
  },
  delete: async () => {
    throw readOnly()
  },
}

function readOnly(): ApiError {
  return new ApiError(
    'Forbidden',
    'Ledger entries are written by payments and refunds; they are not created, changed or deleted',
  )
}
