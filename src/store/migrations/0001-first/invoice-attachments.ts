import type { Columns } from '../table.js'
import { common } from './common.js'

export const invoiceAttachments: Columns = {
  ...common,
  invoice_id: 'text',
  payment_link_id: 'text',
  name: 'text',
  content_type: 'text',
  size: 'integer',
  url: 'text',
  expires_at: 'text',
  checksum: 'text',
  stored_as: 'text',
}
