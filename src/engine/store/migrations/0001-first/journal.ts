import type { Columns } from '../builder/table.js'

export const events: Columns = {
  id: 'text required',
  trigger: 'text required',
  object: 'text required',
  object_id: 'text required',
  value: 'text',
  processing_id: 'text',
  principal_id: 'text required',
  created_at: 'text required',
}

export const deliveries: Columns = {
  id: 'text required',
  event_id: 'text required',
  webhook_id: 'text required',
  waiting: 'text',
  due_at: 'integer',
  lease: 'text',
  attempts: 'integer required',
  outcome: 'text',
}

export const fanOut: Columns = {
  id: 'text required',
  event_id: 'text required',
  swept_id: 'text required',
}

export const postings: Columns = {
  id: 'text required',
  transaction_id: 'text required',
  processing_id: 'text required',
  currency: 'text required',
  from_account: 'text required',
  to_account: 'text required',
  amount: 'integer required',
  created_at: 'text required',
}

/** Attempts to collect invoices by automatic payments. */
export const collections: Columns = {
  id: 'text required',
  invoice_id: 'text required',
  attempt_date: 'text required',
  transaction_id: 'text',
  refusal: 'text',
  created_at: 'text required',
}

/** Access and refresh tokens of OAuth, as keyed hashes. */
export const oauthTokens: Columns = {
  id: 'text required',
  grant_id: 'text required',
  kind: 'text required',
  token_hash: 'text required',
  expires_at: 'text required',
  used_at: 'text',
}

export const maintenance: Columns = {
  id: 'text required',
  message: 'text',
  since: 'text required',
}

export const clock: Columns = {
  id: 'text required',
  offset_milliseconds: 'integer required',
  advancing_until: 'integer',
}

export const idempotencyRecords: Columns = {
  id: 'text required',
  request_hash: 'text required',
  status: 'integer',
  body: 'text',
  continuation: 'text',
  created_at: 'text required',
}

/** Batches of rows, and what became of each row. */
export const batches: Columns = {
  id: 'text required',
  kind: 'text required',
  content_hash: 'text required',
  rows: 'integer required',
  source: 'text',
  options: 'text',
  created_at: 'text required',
  finished_at: 'text',
}

export const batchRows: Columns = {
  id: 'text required',
  batch_id: 'text required',
  row: 'integer required',
  status: 'text required',
  object_id: 'text',
  error: 'text',
  created_at: 'text required',
}
