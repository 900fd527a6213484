import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const billingCharges: Columns = {
  ...resourceColumns,
  amount: 'integer required',
  billing_schedule_id: 'text required',
  description: 'text',
  qty: 'integer',
  total: 'integer',
  type: 'text',
}
