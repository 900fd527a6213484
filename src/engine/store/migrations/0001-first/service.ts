import { type Columns, resourceColumns } from '../builder/table.js'

export const webhooksColumns: Columns = {
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

export const webhookLogsColumns: Columns = {
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

export const eventsColumns: Columns = {
  id: 'text required',
  trigger: 'text required',
  object: 'text required',
  object_id: 'text required',
  value: 'text',
  processing_id: 'text',
  principal_id: 'text required',
  created_at: 'text required',
}

export const deliveriesColumns: Columns = {
  id: 'text required',
  event_id: 'text required',
  webhook_id: 'text required',
  waiting: 'text',
  due_at: 'integer',
  lease: 'text',
  attempts: 'integer required',
  outcome: 'text',
}

export const fanOutColumns: Columns = {
  id: 'text required',
  event_id: 'text required',
  swept_id: 'text required',
}

export const maintenanceColumns: Columns = {
  id: 'text required',
  message: 'text',
  since: 'text required',
}

export const clockColumns: Columns = {
  id: 'text required',
  offset_milliseconds: 'integer required',
  advancing_until: 'integer',
}

export const idempotencyRecordsColumns: Columns = {
  id: 'text required',
  request_hash: 'text required',
  status: 'integer',
  body: 'text',
  continuation: 'text',
  created_at: 'text required',
}

/** Batches of rows, and what became of each row. */
export const batchesColumns: Columns = {
  id: 'text required',
  kind: 'text required',
  content_hash: 'text required',
  rows: 'integer required',
  source: 'text',
  options: 'text',
  created_at: 'text required',
  finished_at: 'text',
}

export const batchRowsColumns: Columns = {
  id: 'text required',
  batch_id: 'text required',
  row: 'integer required',
  status: 'text required',
  object_id: 'text',
  error: 'text',
  created_at: 'text required',
}
