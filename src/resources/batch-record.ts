import { datetime, type Fields, integer, text } from '../schema/field.js'

/** A file of many rows that was begun. No resource, and declared alike; where it came from is left out. */
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
