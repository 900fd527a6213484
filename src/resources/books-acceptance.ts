import { datetime, type Fields, text } from '../schema/field.js'

/** That an operator took the books as they are, although they were not as far as their head. No resource, and declared alike. */
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
