import { RECORD } from '../schema/seal-rule.js'

/** Table of the files that were run as batches. */
export const batchTable = {
  activity: { unlogged: 'Each row of a batch is a request with lines of its own' },
  seals: { ...RECORD, as: 'batch', except: ['source', 'options'] },
  columns: {
    id: 'text required',
    kind: 'text required',
    content_hash: 'text required',
    rows: 'integer required',
    source: 'text',
    options: 'text',
    key: 'text',
    created_at: 'text required',
    finished_at: 'text',
  },
} as const

/** Table of the outcomes of batch rows. */
export const batchRowTable = {
  activity: { unlogged: 'Each row of a batch is a request with lines of its own' },
  seals: { ...RECORD, as: 'batch_row' },
  columns: {
    id: 'text required',
    batch_id: 'text required',
    row: 'integer required',
    status: 'text required',
    object_id: 'text',
    error: 'text',
    content: 'text',
    created_at: 'text required',
  },
} as const
