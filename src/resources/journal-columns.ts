import type { ColumnSpecs } from '../schema/columns.js'

/** Amounts moved between two book accounts, each for one row of another table. */
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
