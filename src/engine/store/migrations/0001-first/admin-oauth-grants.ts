import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const adminOauthGrants: Columns = {
  ...resourceColumns,
  client_id: 'text',
  org_id: 'text',
  user_id: 'text',
  scope: 'text',
  processing_ids: 'text',
  status: 'text',
  redirect_uri: 'text',
  code_hash: 'text',
  code_expires_at: 'text',
  code_challenge: 'text',
}
