import { datetime, type Fields, integer, text } from '../schema/field.js'
import { transaction } from './transaction.js'

/**
 * An event, for webhooks. Declared like a resource, without being one. Events of transactions follow from the
 * transactions, by rules; for links and accounts, no rule says how many events there are.
 */
export const eventRecord = {
  name: 'event',
  table: 'events',
  follows: { column: 'object_id', prefix: transaction.prefix },
  fields: {
    id: { kind: 'id' },
    trigger: text({ readonly: true }),
    object_id: text({ readonly: true }),
    value: text({ readonly: true }),
    processing_id: text({ readonly: true }),
    principal_id: text({ readonly: true }),
    created_at: datetime(),
  },
} as const satisfies {
  readonly name: string
  readonly table: string
  readonly follows: object
  readonly fields: Fields
}

/** A file of many rows that was begun. No resource, but declared like one; the file's origin is omitted. */
export const batchRecord = {
  name: 'batch',
  table: 'batches',
  fields: {
    id: { kind: 'id' },
    kind: text({ readonly: true }),
    content_hash: text({ readonly: true }),
    rows: integer(),
    key: text({ readonly: true }),
    created_at: datetime(),
    finished_at: datetime(),
  },
} as const satisfies { readonly name: string; readonly table: string; readonly fields: Fields }

/** Outcome of a row of a batch; without it, the row would be done again. No resource, but declared like one. */
export const batchRow = {
  name: 'batch_row',
  table: 'batch_rows',
  fields: {
    id: { kind: 'id' },
    batch_id: text({ readonly: true }),
    row: integer(),
    status: text({ readonly: true }),
    object_id: text({ readonly: true }),
    error: text({ readonly: true }),
    content: text({ readonly: true }),
    created_at: datetime(),
  },
} as const satisfies { readonly name: string; readonly table: string; readonly fields: Fields }

/** Stored answer for a repeated request. No resource, but declared like one. */
export const keptAnswer = {
  name: 'kept_answer',
  table: 'idempotency_records',
  fields: {
    id: { kind: 'id' },
    request_hash: text({ readonly: true }),
    status: integer(),
    created_at: datetime(),
    /** The body with which a repeated request is answered. */
    answer: text({ readonly: true }),
    /** The objects that a pending answer will show. */
    continuation: text({ readonly: true }),
  },
} as const satisfies { readonly name: string; readonly table: string; readonly fields: Fields }

/** An operator's acceptance of books that lag behind their head. No resource, but declared like one. */
export const booksAcceptance = {
  name: 'books_acceptance',
  table: 'books_acceptances',
  fields: {
    id: { kind: 'id' },
    reason: text({ readonly: true }),
    problem: text({ readonly: true }),
    accepted_at: datetime(),
  },
} as const satisfies { readonly name: string; readonly table: string; readonly fields: Fields }
