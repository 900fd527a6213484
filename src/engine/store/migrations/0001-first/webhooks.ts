import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const webhooks: Columns = {
  ...resourceColumns,
  trigger: 'text required',
  url: 'text required',
  description: 'text',
  processing_id: 'text',
  status: 'text',
  oauth_token_url: 'text',
  oauth_client_id: 'text',
  previous_secret_until: 'text',
  sealed_secret: 'text',
  sealed_previous_secret: 'text',
  sealed_oauth_secret: 'text',
  key_id: 'text',
  processing_ids: 'text',
}
