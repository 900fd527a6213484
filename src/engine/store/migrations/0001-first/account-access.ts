import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const accountAccess: Columns = {
  ...resourceColumns,
  org_id: 'text required',
  account_id: 'text required',
  role: 'text',
  description: 'text',
}
