import { sql } from 'kysely'
import type { Tx } from '../../database/store.js'
import { type Columns, type Constraints, createTable } from '../builder/table-builder.js'

/** Creates the tables that no resource declares. */
export async function createServiceTables(tx: Tx): Promise<void> {
  for (const [table, columns] of Object.entries(SERVICE_TABLES))
    await createTable(tx, table, columns, CONSTRAINTS[table])
}

/** Amounts moved between two book accounts, each for one row of another table. */
function journal(bookedFor: string, processingId: 'text' | 'text required'): Columns {
  return {
    id: 'text required',
    [bookedFor]: 'text required',
    processing_id: processingId,
    currency: 'text required',
    from_account: 'text required',
    to_account: 'text required',
    amount: 'integer required',
    created_at: 'text required',
  }
}

/** The columns of each. */
export const SERVICE_TABLES = {
  postings: journal('transaction_id', 'text required'),
  exception_postings: journal('exception_id', 'text'),
  settlement_postings: journal('settlement_line_id', 'text'),
  events: {
    id: 'text required',
    trigger: 'text required',
    object: 'text required',
    object_id: 'text required',
    value: 'text',
    processing_id: 'text',
    principal_id: 'text required',
    created_at: 'text required',
    work: 'integer',
  },
  deliveries: {
    id: 'text required',
    event_id: 'text required',
    webhook_id: 'text required',
    waiting: 'text',
    due_at: 'integer',
    lease: 'text',
    attempts: 'integer required',
    outcome: 'text',
  },
  fan_out: {
    id: 'text required',
    event_id: 'text required',
    swept_id: 'text required',
    swept_work: 'integer',
  },
  idempotency_records: {
    id: 'text required',
    request_hash: 'text required',
    status: 'integer',
    answer: 'text',
    continuation: 'text',
    created_at: 'text required',
  },
  batches: {
    id: 'text required',
    kind: 'text required',
    content_hash: 'text required',
    rows: 'integer required',
    source: 'text',
    options: 'text',
    key: 'text',
    created_at: 'text required',
    finished_at: 'text',
  },
  batch_rows: {
    id: 'text required',
    batch_id: 'text required',
    row: 'integer required',
    status: 'text required',
    object_id: 'text',
    error: 'text',
    content: 'text',
    created_at: 'text required',
  },
  collections: {
    id: 'text required',
    invoice_id: 'text required',
    attempt_date: 'text required',
    transaction_id: 'text',
    refusal: 'text',
    created_at: 'text required',
  },
  attachment_contents: {
    id: 'text required',
    content: 'bytes required',
  },
  oauth_tokens: {
    id: 'text required',
    grant_id: 'text required',
    kind: 'text required',
    token_hash: 'text required',
    expires_at: 'text required',
    used_at: 'text',
  },
  gateway_routes: {
    id: 'text required',
    gateway_id: 'text required',
    method: 'text',
    processing_id: 'text',
    merchant: 'text',
    created_at: 'text required',
  },
  gateway_circuits: {
    id: 'text required',
    gateway_id: 'text required',
    scope: 'text required',
    subject: 'text required',
    problem: 'text required',
    since: 'text required',
    noticed_at: 'integer required',
  },
  catch_ups: {
    id: 'text required',
    since: 'text required',
    restored_at: 'text required',
  },
  maintenance: {
    id: 'text required',
    message: 'text',
    since: 'text required',
  },
  clock: {
    id: 'text required',
    offset_milliseconds: 'integer required',
    advancing_until: 'integer',
  },
  vault_keys: {
    id: 'text required',
    fingerprint: 'text required',
    retired_at: 'text',
  },
  seal_log: {
    id: 'integer required',
    entries: 'text required',
    leaves: 'bytes required',
    hash: 'text required',
    mac: 'text required',
  },
  seal_queue: {
    id: 'counter required',
    entries: 'text required',
    leaves: 'bytes required',
    mac: 'text required',
  },
  checkpoints: {
    id: 'integer required',
    hash: 'text required',
    signed_at: 'text required',
    signature: 'text required',
  },
  books_acceptances: {
    id: 'text required',
    reason: 'text required',
    problem: 'text required',
    accepted_at: 'text required',
  },
} as const satisfies { readonly [table: string]: Columns }

/** Postings move something, between two accounts. */
const JOURNAL_CHECKS = { amount_above_zero: sql`amount > 0`, of_two: sql`from_account <> to_account` }

const CONSTRAINTS: { readonly [table: string]: Constraints } = {
  postings: { checks: JOURNAL_CHECKS, references: { transaction_id: 'transactions' }, clustered: true },
  exception_postings: {
    checks: JOURNAL_CHECKS,
    references: { exception_id: 'admin_exceptions' },
    clustered: true,
  },
  settlement_postings: {
    checks: JOURNAL_CHECKS,
    references: { settlement_line_id: 'admin_settlement_lines' },
    clustered: true,
  },
  events: { clustered: true },
  deliveries: { clustered: true },
  batch_rows: { references: { batch_id: 'batches' } },
  oauth_tokens: { references: { grant_id: 'admin_oauth_grants' } },
  gateway_routes: { references: { gateway_id: 'admin_gateways' } },
  gateway_circuits: { references: { gateway_id: 'admin_gateways' } },
}
