import type { ColumnSpecs } from '../schema/columns.js'
import { CONTROL, RECORD, type Sealed } from '../schema/seal-rule.js'
import { journal } from './journal-columns.js'
import { reportDays } from './reports/report-days.js'
import { transaction } from './transaction.js'

/** A table that no resource declares. */
export interface ServiceTable {
  readonly columns: ColumnSpecs
  readonly seals: ServiceSeals | { readonly unsealed: string }
}

/** The rule by which rows are sealed, and the word for them. */
interface ServiceSeals extends Sealed {
  readonly as: string
  /** Rows that name such an object follow from it by rules: the column, and what ids of the kind begin with. */
  readonly follows?: { readonly column: string; readonly prefix: string }
}

/** Every table that no resource declares, by its name. */
export const serviceTables = {
  postings: {
    seals: { ...RECORD, as: 'posting' },
    columns: journal('transaction_id', 'text required'),
  },
  exception_postings: {
    seals: { ...RECORD, as: 'exception_posting' },
    columns: journal('exception_id', 'text'),
  },
  settlement_postings: {
    seals: { ...RECORD, as: 'settlement_posting' },
    columns: journal('settlement_line_id', 'text'),
  },
  events: {
    seals: {
      ...RECORD,
      as: 'event',
      except: ['object', 'work'],
      // For links and accounts, no rule says how many events there are.
      follows: { column: 'object_id', prefix: transaction.prefix },
    },
    columns: {
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
  },
  deliveries: {
    seals: {
      ...RECORD,
      as: 'delivery',
      // They change with each attempt.
      except: ['due_at', 'lease', 'attempts'],
    },
    columns: {
      id: 'text required',
      event_id: 'text required',
      webhook_id: 'text required',
      waiting: 'text',
      due_at: 'integer',
      lease: 'text',
      attempts: 'integer required',
      outcome: 'text',
    },
  },
  fan_out: {
    seals: { ...RECORD, as: 'fan_out' },
    columns: {
      id: 'text required',
      event_id: 'text required',
      swept_id: 'text required',
      swept_work: 'integer',
    },
  },
  idempotency_records: {
    seals: { ...RECORD, as: 'kept_answer' },
    columns: {
      id: 'text required',
      request_hash: 'text required',
      status: 'integer',
      answer: 'text',
      continuation: 'text',
      created_at: 'text required',
    },
  },
  batches: {
    seals: { ...RECORD, as: 'batch', except: ['source', 'options'] },
    columns: {
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
  },
  batch_rows: {
    seals: { ...RECORD, as: 'batch_row' },
    columns: {
      id: 'text required',
      batch_id: 'text required',
      row: 'integer required',
      status: 'text required',
      object_id: 'text',
      error: 'text',
      content: 'text',
      created_at: 'text required',
    },
  },
  collections: {
    seals: { ...RECORD, as: 'collection' },
    columns: {
      id: 'text required',
      invoice_id: 'text required',
      attempt_date: 'text required',
      transaction_id: 'text',
      refusal: 'text',
      payment_method_id: 'text',
      identified_by: 'text',
      requested: 'integer required',
      created_at: 'text required',
    },
  },
  attachment_contents: {
    seals: { unsealed: 'What clients attach to invoices: it neither moves money nor says who may' },
    columns: {
      id: 'text required',
      content: 'bytes required',
    },
  },
  oauth_tokens: {
    seals: { ...CONTROL, as: 'oauth_token' },
    columns: {
      id: 'text required',
      grant_id: 'text required',
      kind: 'text required',
      token_hash: 'text required',
      expires_at: 'text required',
      used_at: 'text',
    },
  },
  gateway_routes: {
    seals: { ...CONTROL, as: 'gateway_route' },
    columns: {
      id: 'text required',
      gateway_id: 'text required',
      method: 'text',
      processing_id: 'text',
      merchant: 'text',
      created_at: 'text required',
    },
  },
  gateway_circuits: {
    seals: {
      unsealed: 'Causes for which nothing is sent for a while: without one it is tried, and found again',
    },
    columns: {
      id: 'text required',
      gateway_id: 'text required',
      scope: 'text required',
      subject: 'text required',
      problem: 'text required',
      since: 'text required',
      noticed_at: 'integer required',
    },
  },
  attempts: {
    seals: {
      unsealed: 'Counts that end after a day: without one a bound is looser, with another one somebody waits',
    },
    columns: {
      id: 'text required',
      purpose: 'text required',
      subject: 'text required',
      what: 'text required',
      until: 'integer required',
    },
  },
  catch_ups: {
    seals: { ...CONTROL, as: 'catch_up' },
    columns: {
      id: 'text required',
      since: 'text required',
      restored_at: 'text required',
    },
  },
  maintenance: {
    seals: { ...CONTROL, as: 'maintenance' },
    columns: {
      id: 'text required',
      message: 'text',
      since: 'text required',
    },
  },
  clock: {
    seals: { ...RECORD, as: 'clock' },
    columns: {
      id: 'text required',
      offset_milliseconds: 'integer required',
      advancing_until: 'integer',
    },
  },
  mail_progress: {
    seals: { ...RECORD, as: 'mail_progress' },
    columns: {
      id: 'text required',
      events_after: 'text required',
      cards_of: 'text',
    },
  },
  mail_refusals: {
    seals: { ...RECORD, as: 'mail_refusal' },
    columns: {
      id: 'text required',
      email: 'text required',
      processing_id: 'text required',
      created_at: 'text required',
    },
  },
  operator_entries: {
    seals: { ...CONTROL, as: 'operator_entry' },
    columns: {
      id: 'text required',
      operator_id: 'text required',
      code_hash: 'text required',
      expires_at: 'integer required',
      used_at: 'integer',
    },
  },
  operator_settings: {
    seals: { ...CONTROL, as: 'operator_settings' },
    columns: {
      id: 'text required',
      require_mapping: 'integer required',
      since: 'text required',
    },
  },
  report_days: reportDays,
  vault_keys: {
    seals: { ...RECORD, as: 'vault_key' },
    columns: {
      id: 'text required',
      fingerprint: 'text required',
      salt: 'text required',
      retired_at: 'text',
    },
  },
  seal_log: {
    seals: {
      unsealed: 'The seals themselves: each commit has a keyed hash, and follows from the one before it',
    },
    columns: {
      id: 'integer required',
      hash: 'text required',
      mac: 'text required',
      control: 'integer required',
      control_before: 'integer',
      entries: 'text required',
      leaves: 'bytes required',
    },
  },
  seal_queue: {
    seals: { unsealed: 'Seals on their way into the log: each row has a keyed hash' },
    columns: {
      id: 'counter required',
      mac: 'text required',
      control: 'integer',
      entries: 'text required',
      leaves: 'bytes required',
    },
  },
  checkpoints: {
    seals: { ...RECORD, as: 'checkpoint' },
    columns: {
      id: 'integer required',
      hash: 'text required',
      signed_at: 'text required',
      signature: 'text required',
    },
  },
  books_acceptances: {
    seals: { ...CONTROL, as: 'books_acceptance' },
    columns: {
      id: 'text required',
      reason: 'text required',
      problem: 'text required',
      accepted_at: 'text required',
    },
  },
} as const satisfies { readonly [table: string]: ServiceTable }
