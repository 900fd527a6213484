import { datetime, type Fields, integer, text } from '../schema/field.js'

/** What became of a row of a batch: without it the row would be done again. No resource, and declared alike. */
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
