import type { ColumnSpecs } from '../schema/columns.js'

/**
 * Columns of a journal: each row moves an amount between two book accounts, for a row of another table.
 * `bookedFor` is the column with the id of that row.
 */
export function journal(bookedFor: string, processingId: 'text' | 'text required'): ColumnSpecs {
  return {
    id: 'text required',
    [bookedFor]: 'text required',
    processing_id: processingId,
    currency: 'text required',
    from_account: 'text required',
    to_account: 'text required',
    amount: 'integer required',
    created_at: 'text required',
  }
}
