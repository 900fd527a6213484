import { datetime, type Fields, money, ref, text } from '../schema/field.js'

/** The journal is no resource of the interface; what stands in a posting is declared in the same way. */
export const posting = {
  name: 'posting',
  table: 'postings',
  fields: {
    id: { kind: 'id' },
    transaction_id: ref('transaction'),
    processing_id: ref('processing_account'),
    currency: text({ readonly: true }),
    from_account: text({ readonly: true }),
    to_account: text({ readonly: true }),
    amount: money({ sign: 'positive' }),
    created_at: datetime(),
  },
} as const satisfies { readonly name: string; readonly table: string; readonly fields: Fields }
