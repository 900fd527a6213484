import type { ColumnSpecs } from '../schema/columns.js'
import { CONTROL, RECORD, type Sealed } from '../schema/seal-rule.js'
import { batchRowTable, batchTable } from './batch-tables.js'
import { journal } from './journal-columns.js'
import { operatorEntries, operatorSettings } from './operator-tables.js'
import { reportDays } from './reports/report-days.js'
import { transaction } from './transaction.js'

/** A table that no resource declares. */
export interface ServiceTable {
  readonly columns: ColumnSpecs
  readonly seals: ServiceSeals | { readonly unsealed: string }
  /**
   * `keeps`: columns whose values the activity log records. `unlogged`: reason why the activity log has no lines for
   * the table.
   */
  readonly activity: { readonly keeps: readonly string[] } | { readonly unlogged: string }
}

/** Rule for sealing rows, and the noun (`as`) for a row. */
interface ServiceSeals extends Sealed {
  readonly as: string
  /**
   * Set if rules decide which rows must exist for another object: the column with the id of that object, and the
   * prefix of such ids.
   */
  readonly follows?: { readonly column: string; readonly prefix: string }
}

/** Every table that no resource declares, by its name. */
export const serviceTables = {
  postings: {
    activity: { unlogged: 'They follow from transactions, whose changes have lines' },
    seals: { ...RECORD, as: 'posting' },
    columns: journal('transaction_id', 'text required'),
  },
  exception_postings: {
    activity: { unlogged: 'They follow from exceptions, whose changes have lines' },
    seals: { ...RECORD, as: 'exception_posting' },
    columns: journal('exception_id', 'text'),
  },
  settlement_postings: {
    activity: { unlogged: 'They follow from settlement lines, which have lines of activity' },
    seals: { ...RECORD, as: 'settlement_posting' },
    columns: journal('settlement_line_id', 'text'),
  },
  events: {
    activity: { unlogged: 'They follow from changes that have lines' },
    seals: {
      ...RECORD,
      as: 'event',
      except: ['object', 'work'],
      // Rules say which events exist for a transaction. For links and accounts there are no such rules.
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
    activity: { unlogged: 'Attempts of the service to notify somebody' },
    seals: {
      ...RECORD,
      as: 'delivery',
      // These columns change with each attempt.
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
    activity: { unlogged: 'A position of the service in its own events' },
    seals: { ...RECORD, as: 'fan_out' },
    columns: {
      id: 'text required',
      event_id: 'text required',
      swept_id: 'text required',
      swept_work: 'integer',
    },
  },
  idempotency_records: {
    activity: { unlogged: 'Answers to requests that have lines' },
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
  batches: batchTable,
  batch_rows: batchRowTable,
  collections: {
    activity: { unlogged: 'Attempts of the service; the payments and invoices have lines' },
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
    activity: { unlogged: 'They belong to attachments, which have lines' },
    seals: { unsealed: 'What clients attach to invoices: it neither moves money nor says who may' },
    columns: {
      id: 'text required',
      content: 'bytes required',
    },
  },
  oauth_tokens: {
    activity: { unlogged: 'Issued and used up under grants, which have lines' },
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
    activity: { keeps: ['gateway_id', 'method', 'processing_id', 'merchant'] },
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
    activity: { unlogged: 'Noted by the service, and closed with a change of the gateway' },
    seals: {
      unsealed:
        'Reasons to send no operations for a while: if one is missing, an operation is tried and finds it again',
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
    activity: { unlogged: 'Counts of the service that end after a day' },
    seals: {
      unsealed:
        'Counts that end after a day: a missing one loosens a limit, a forged one makes somebody wait',
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
    activity: { unlogged: 'Follows from a restore, which is recorded as an acceptance of the books' },
    seals: { ...CONTROL, as: 'catch_up' },
    columns: {
      id: 'text required',
      since: 'text required',
      restored_at: 'text required',
    },
  },
  maintenance: {
    activity: { keeps: [] },
    seals: { ...CONTROL, as: 'maintenance' },
    columns: {
      id: 'text required',
      message: 'text',
      since: 'text required',
    },
  },
  clock: {
    activity: { unlogged: 'Is moved in test only, where lines have the real time as well' },
    seals: { ...RECORD, as: 'clock' },
    columns: {
      id: 'text required',
      offset_milliseconds: 'integer required',
      advancing_until: 'integer',
    },
  },
  mail_progress: {
    activity: { unlogged: 'A position of the service in its own events' },
    seals: { ...RECORD, as: 'mail_progress' },
    columns: {
      id: 'text required',
      events_after: 'text required',
      cards_of: 'text',
    },
  },
  mail_refusals: {
    activity: { unlogged: 'Decisions of payers about mail, which name their addresses' },
    seals: { ...RECORD, as: 'mail_refusal' },
    columns: {
      id: 'text required',
      email: 'text required',
      processing_id: 'text required',
      created_at: 'text required',
    },
  },
  operator_entries: operatorEntries,
  operator_settings: operatorSettings,
  report_days: reportDays,
  vault_keys: {
    activity: { unlogged: 'Is changed below the interface, by holders of the key file' },
    seals: { ...RECORD, as: 'vault_key' },
    columns: {
      id: 'text required',
      fingerprint: 'text required',
      salt: 'text required',
      retired_at: 'text',
    },
  },
  seal_log: {
    activity: { unlogged: 'The sealed books themselves, which seal lines as well' },
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
    activity: { unlogged: 'The sealed books themselves, which seal lines as well' },
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
    activity: { unlogged: 'The sealed books themselves, which seal lines as well' },
    seals: { ...RECORD, as: 'checkpoint' },
    columns: {
      id: 'integer required',
      hash: 'text required',
      signed_at: 'text required',
      signature: 'text required',
    },
  },
  books_acceptances: {
    activity: { unlogged: 'A record of its own kind, with time and reason, that is never deleted' },
    seals: { ...CONTROL, as: 'books_acceptance' },
    columns: {
      id: 'text required',
      reason: 'text required',
      problem: 'text required',
      accepted_at: 'text required',
    },
  },
} as const satisfies { readonly [table: string]: ServiceTable }
