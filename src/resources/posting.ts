import { datetime, type Field, type Fields, money, ref, text } from '../schema/field.js'

interface JournalTable {
  readonly name: string
  readonly table: string
  readonly fields: Fields
}

/** Fields of every posting: its reference (`bookedFor`), the accounts and the amount. */
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

/** A posting of the journal. The journal is declared like a resource, although the API has no such resource. */
export const posting = {
  name: 'posting',
  table: 'postings',
  fields: postingFields({ transaction_id: ref('transaction') }),
} as const satisfies JournalTable

/** A posting of an exception's resolution. */
export const exceptionPosting = {
  name: 'exception_posting',
  table: 'exception_postings',
  fields: postingFields({ exception_id: ref('exception') }),
} as const satisfies JournalTable

/** A posting of a settlement line. */
export const settlementPosting = {
  name: 'settlement_posting',
  table: 'settlement_postings',
  fields: postingFields({ settlement_line_id: ref('settlement_line') }),
} as const satisfies JournalTable
