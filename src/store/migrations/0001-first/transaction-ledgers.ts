import type { Columns } from '../table.js'
import { common } from './common.js'

export const transactionLedgers: Columns = {
  ...common,
  amount: 'integer required',
  assoc_transaction_id: 'text required',
  entry_type: 'text required',
  transaction_id: 'text required',
  timestamp: 'text',
}
