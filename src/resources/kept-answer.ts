import { datetime, type Fields, integer, text } from '../schema/field.js'

/**
 * The answer that is stored for a repeated request. No resource, and declared alike; what the answer says is left out, as
 * it is about objects that are proved by themselves.
 */
export const keptAnswer = {
  name: 'kept_answer',
  table: 'idempotency_records',
  fields: {
    id: { kind: 'id' },
    request_hash: text({ readonly: true }),
    status: integer(),
    created_at: datetime(),
  },
} as const satisfies { readonly name: string; readonly table: string; readonly fields: Fields }
