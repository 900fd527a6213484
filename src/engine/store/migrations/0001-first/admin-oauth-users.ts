import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const adminOauthUsers: Columns = {
  ...resourceColumns,
  org_id: 'text required',
  email: 'text required',
  name: 'text',
  locked_until: 'text',
  password_hash: 'text',
  failures: 'integer',
}
