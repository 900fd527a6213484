import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, flag, integer, json, oneOf, rows, text } from '../../schema/field.js'

const path = 'admin/batches'
const rowsPath = 'admin/batches/rows'

const id = text({ required: true, max: 200, doc: 'name of the batch, unique in the environment' })

const counts = {
  done: integer({ doc: 'rows that are done' }),
  declined: integer({ doc: 'rows whose payment was declined; the declined payment is stored' }),
  failed: integer({ doc: 'rows that were refused; nothing was changed' }),
  waiting: integer({ doc: 'rows that were started and have no known outcome yet' }),
} as const

const known = {
  id: text({ doc: 'name of the batch' }),
  as: text({ doc: 'kind of the rows, such as payment' }),
  status: oneOf(['running', 'finished'], { doc: 'running until every row has its outcome' }),
  rows: integer({ doc: 'how many rows its file has' }),
  source: text({ doc: 'the file, as it was named when the batch began' }),
  options: json({ doc: 'how the file is read' }),
  key: text({ doc: 'the column that identifies a row; null if the whole content of the row does' }),
  began_at: datetime({ doc: 'when it began (UTC)' }),
  finished_at: datetime({ doc: 'when its last row got its outcome (UTC)' }),
} as const

const example = { id: 'customers.csv', as: 'customer' } as const

const row = integer({ required: true, min: 1, doc: 'number of the row in its file, the header being 1' })
const occurrence = integer({ min: 1, doc: 'position among rows with the same content; 1 unless given' })
const error = text({ doc: 'why it was refused or declined' })

export const listBatchesOperation = adminOperation({
  name: 'list_batches',
  method: 'GET',
  path,
  summary: 'list batches, newest first',
  moves: 'nothing',
  least: 'viewer',
  input: { id: text({ max: 200, doc: 'only the batch of this name' }) },
  object: 'batches',
  output: { batches: rows({ ...known, ...counts }, { doc: 'the newest 100' }) },
})

export const beginBatchOperation = adminOperation({
  name: 'begin_batch',
  method: 'POST',
  path,
  summary: 'begin a batch, or continue one',
  moves: 'nothing',
  least: 'cashier',
  input: {
    id,
    as: text({
      required: true,
      doc: 'kind of the rows: payment, refund, credit, void, the object to create, or update_ and the object to change',
    }),
    content: text({ required: true, doc: 'a digest of the file' }),
    rows: integer({ required: true, min: 0, doc: 'how many rows the file has' }),
    source: text({ max: 1_000, doc: 'the file' }),
    options: json({ doc: 'how the file is read' }),
    key: text({ max: 200, doc: 'the column that identifies a row; its whole content unless given' }),
    continue: flag({ doc: 'continue a finished batch whose file has changed: only its new rows are done' }),
  },
  object: 'batch',
  output: {
    ...known,
    ...counts,
    edited: flag({ doc: 'whether the content of its file, or the options, have changed since the last run' }),
  },
  example: { ...example, content: 'c0ffee', rows: 2 },
})

export const finishBatchOperation = adminOperation({
  name: 'finish_batch',
  method: 'PUT',
  path,
  summary: 'mark a batch as finished: every row has an outcome',
  moves: 'nothing',
  least: 'cashier',
  input: { id },
  object: 'batch',
  output: { ...known, ...counts },
  example: { id: example.id },
})

export const listBatchRowsOperation = adminOperation({
  name: 'list_batch_rows',
  method: 'GET',
  path: rowsPath,
  summary: 'list the outcomes of a batch in the order of its rows',
  moves: 'nothing',
  least: 'viewer',
  input: {
    id,
    after: text({ doc: 'rows after this position, which the previous answer returned' }),
    limit: integer({ min: 1, max: 1_000, doc: 'how many at most; 1,000 unless given' }),
  },
  object: 'batch_rows',
  output: {
    rows: rows({
      row: integer({ doc: 'number of the row in its file' }),
      status: oneOf(['done', 'declined', 'failed', 'waiting'], { doc: 'outcome of the row' }),
      id: text({ doc: 'id of the object that it created or changed' }),
      error,
    }),
    after: text({ doc: 'where the next answer begins; null at the end' }),
  },
  example: { id: example.id },
})

export const runBatchRowsOperation = adminOperation({
  name: 'run_batch_rows',
  method: 'POST',
  path: rowsPath,
  summary:
    'perform rows of a batch, each once and in a transaction of its own, which also records that it is done',
  moves: 'rows',
  least: 'cashier',
  input: {
    id,
    as: text({ required: true, doc: 'kind of the rows, as given when the batch began' }),
    rows: rows(
      {
        row,
        occurrence,
        key: text({ transient: true, doc: 'value that identifies the row, in a batch with a key' }),
        body: json({ transient: true, doc: 'its attributes' }),
        // Stored with its digits masked.
        error: text({
          transient: true,
          doc: 'why the row cannot be performed; it is only recorded as failed',
        }),
      },
      { required: true, doc: 'at most 1,000' },
    ),
    last: flag({ doc: 'last attempt: a row that conflicts with another operation fails instead of waiting' }),
  },
  object: 'batch_outcomes',
  output: {
    rows: rows({
      row: integer({ doc: 'number of the row in its file' }),
      status: oneOf(['done', 'declined', 'failed', 'waiting', 'edited'], {
        doc: 'waiting: without outcome yet, send it again; edited: done before with another content, and not done again',
      }),
      id: text({ doc: 'id of the object that it created or changed' }),
      error,
      before: flag({ doc: 'whether it had its outcome before this request' }),
    }),
  },
  example: { ...example, rows: [{ row: 2, body: { name: 'Ada Park' } }] },
})

export const countKnownRowsOperation = adminOperation({
  name: 'count_known_rows',
  method: 'POST',
  path: 'admin/batches/known-rows',
  summary: 'count the rows of a file that a batch without a key has recorded, without performing any',
  moves: 'nothing',
  least: 'cashier',
  input: {
    id,
    as: text({ required: true, doc: 'kind of the rows, as given when the batch began' }),
    rows: rows(
      { occurrence, body: json({ transient: true, doc: 'its attributes' }) },
      { required: true, doc: 'at most 1,000' },
    ),
  },
  object: 'known_rows',
  output: { ...counts, unknown: integer({ doc: 'rows that the batch has not recorded' }) },
  example: { ...example, rows: [{ body: { name: 'Ada Park' } }] },
})
