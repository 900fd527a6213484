import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const paymentLinks: Columns = {
  ...resourceColumns,
  type: 'text',
  amount: 'integer',
  description: 'text',
  processing_id: 'text',
  customer_id: 'text',
  invoice_id: 'text',
  status: 'text',
  expires_at: 'text',
  additional_datafields: 'text',
  checkout_options: 'text',
  taken: 'integer',
}
