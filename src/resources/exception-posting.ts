import { datetime, type Fields, money, ref, text } from '../schema/field.js'

/** What the resolution of an exception has booked. Declared in the same way as a posting of a transaction. */
export const exceptionPosting = {
  name: 'exception_posting',
  table: 'exception_postings',
  fields: {
    id: { kind: 'id' },
    exception_id: ref('exception'),
    processing_id: ref('processing_account'),
    currency: text({ readonly: true }),
    from_account: text({ readonly: true }),
    to_account: text({ readonly: true }),
    amount: money({ sign: 'positive' }),
    created_at: datetime(),
  },
} as const satisfies { readonly name: string; readonly table: string; readonly fields: Fields }
