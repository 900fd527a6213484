import type { Columns } from '../table.js'
import { common } from './common.js'

export const accountAccess: Columns = {
  ...common,
  org_id: 'text required',
  account_id: 'text required',
  role: 'text',
  description: 'text',
}
