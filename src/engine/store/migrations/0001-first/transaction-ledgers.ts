import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const transactionLedgers: Columns = {
  ...resourceColumns,
  amount: 'integer required',
  assoc_transaction_id: 'text required',
  entry_type: 'text required',
  transaction_id: 'text required',
  timestamp: 'text',
}
