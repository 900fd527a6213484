import type { Columns } from '../table.js'
import { common } from './common.js'

export const adminOauthUsers: Columns = {
  ...common,
  org_id: 'text required',
  email: 'text required',
  name: 'text',
  locked_until: 'text',
  password_hash: 'text',
  failures: 'integer',
}
