import type { Columns } from '../table.js'
import { common } from './common.js'

export const paymentActivations: Columns = {
  ...common,
  customer_id: 'text required',
  processing_id: 'text',
  email: 'text',
  description: 'text',
  status: 'text',
  payment_method_id: 'text',
  expires_at: 'text',
}
