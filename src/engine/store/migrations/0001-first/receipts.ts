import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const receipts: Columns = {
  ...resourceColumns,
  transaction_id: 'text required',
  type: 'text',
  email: 'text',
}
