import type { Columns } from '../table.js'
import { common } from './common.js'

export const receipts: Columns = {
  ...common,
  transaction_id: 'text required',
  type: 'text',
  email: 'text',
}
