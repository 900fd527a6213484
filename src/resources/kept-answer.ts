import { datetime, type Fields, integer, text } from '../schema/field.js'

/** The answer that is stored for a repeated request. No resource, and declared alike. */
export const keptAnswer = {
  name: 'kept_answer',
  table: 'idempotency_records',
  fields: {
    id: { kind: 'id' },
    request_hash: text({ readonly: true }),
    status: integer(),
    created_at: datetime(),
    /** What a pending answer will show. */
    continuation: text({ readonly: true }),
  },
  /** Sealed by the digest of what is stored in a column: what a repeated request is answered. */
  digests: { answer: 'packed' },
  /** Not sealed by older versions. */
  later: ['answer', 'continuation'],
} as const satisfies {
  readonly name: string
  readonly table: string
  readonly fields: Fields
  readonly digests: Readonly<Record<string, string>>
  readonly later: readonly string[]
}
