import { datetime, type Fields, money, ref, text } from '../schema/field.js'

/** What is booked of a line of a settlement. Declared in the same way as a posting of a transaction. */
export const settlementPosting = {
  name: 'settlement_posting',
  table: 'settlement_postings',
  fields: {
    id: { kind: 'id' },
    settlement_line_id: ref('settlement_line'),
    processing_id: ref('processing_account'),
    currency: text({ readonly: true }),
    from_account: text({ readonly: true }),
    to_account: text({ readonly: true }),
    amount: money({ sign: 'positive' }),
    created_at: datetime(),
  },
} as const satisfies { readonly name: string; readonly table: string; readonly fields: Fields }
