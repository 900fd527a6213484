import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const paymentActivations: Columns = {
  ...resourceColumns,
  customer_id: 'text required',
  processing_id: 'text',
  email: 'text',
  description: 'text',
  status: 'text',
  payment_method_id: 'text',
  expires_at: 'text',
}
