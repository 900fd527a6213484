import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const accessTokens: Columns = {
  ...resourceColumns,
  type: 'text',
  status: 'text',
  environ: 'text',
  intent: 'text',
  expires_at: 'text',
  processing_id: 'text',
  key_id: 'text',
  fixed: 'text',
}
