import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const lineItems: Columns = {
  ...resourceColumns,
  amount: 'integer',
  description: 'text',
  entry_type: 'text required',
  incurred_date: 'text',
  invoice_id: 'text required',
  qty: 'integer',
  total: 'integer',
  transaction_id: 'text',
  type: 'text',
  payment_outcome: 'text',
}
