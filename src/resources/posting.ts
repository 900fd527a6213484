import { datetime, type Field, type Fields, money, ref, text } from '../schema/field.js'

interface JournalTable {
  readonly name: string
  readonly table: string
  readonly fields: Fields
}

/** What every posting has beside its id: what it is booked for, and what it moves. */
function postingFields<const F extends Readonly<Record<string, Field>>>(bookedFor: F) {
  return {
    id: { kind: 'id' },
    ...bookedFor,
    processing_id: ref('processing_account'),
    currency: text({ readonly: true }),
    from_account: text({ readonly: true }),
    to_account: text({ readonly: true }),
    amount: money({ sign: 'positive' }),
    created_at: datetime(),
  } as const
}

/** The journal is no resource of the interface; what stands in a posting is declared in the same way. */
export const posting = {
  name: 'posting',
  table: 'postings',
  fields: postingFields({ transaction_id: ref('transaction') }),
} as const satisfies JournalTable

/** What the resolution of an exception has booked. */
export const exceptionPosting = {
  name: 'exception_posting',
  table: 'exception_postings',
  fields: postingFields({ exception_id: ref('exception') }),
} as const satisfies JournalTable

/** What is booked of a line of a settlement. */
export const settlementPosting = {
  name: 'settlement_posting',
  table: 'settlement_postings',
  fields: postingFields({ settlement_line_id: ref('settlement_line') }),
} as const satisfies JournalTable
