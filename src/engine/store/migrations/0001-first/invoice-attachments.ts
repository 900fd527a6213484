import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const invoiceAttachments: Columns = {
  ...resourceColumns,
  invoice_id: 'text',
  payment_link_id: 'text',
  name: 'text',
  content_type: 'text',
  size: 'integer',
  checksum: 'text',
}

export const attachmentContents: Columns = {
  id: 'text required',
  content: 'bytes required',
}
