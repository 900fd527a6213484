import type { Columns } from '../table.js'
import { common } from './common.js'

export const billingCharges: Columns = {
  ...common,
  amount: 'integer required',
  billing_schedule_id: 'text required',
  description: 'text',
  qty: 'integer',
  total: 'integer',
  type: 'text',
}
