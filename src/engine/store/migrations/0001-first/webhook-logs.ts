import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const webhookLogs: Columns = {
  ...resourceColumns,
  trigger: 'text required',
  url: 'text required',
  webhook_id: 'text required',
  http_status: 'integer required',
  oauth_status: 'integer',
  triggered_on__id: 'text',
  triggered_on__object: 'text',
  triggered_on__value: 'text',
  event_id: 'text',
  attempt: 'integer',
  problem: 'text',
}
