import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const processingAgreements: Columns = {
  ...resourceColumns,
  type: 'text required',
  status: 'text',
  agreed_at: 'text',
  expires_at: 'text',
  terms: 'text',
}
