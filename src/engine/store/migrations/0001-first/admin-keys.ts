import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const adminKeys: Columns = {
  ...resourceColumns,
  description: 'text',
  hint: 'text',
  org_id: 'text',
  manage: 'integer',
  processing_ids: 'text',
  grants: 'text',
  status: 'text',
  expires_at: 'text',
  rotated_from_id: 'text',
  key_hash: 'text',
}
