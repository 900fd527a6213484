import type { Work } from '../../../engine/core/write/work.js'
import type { BatchRowTable } from '../../../engine/store/database/tables.js'
import { batchKinds } from '../../../resources/batch-kinds.js'
import { findingsOf } from '../pass/finding.js'
import { passOver } from '../pass/pass.js'

/**
 * A finished batch has an outcome for each row of its file. It may have more outcomes, from earlier files of the same
 * name.
 */
export const batches = passOver(
  'batches',
  (db) => db.selectFrom('batches').select(['id', 'rows', 'finished_at']),
  async ({ tx: { db } }, rows) => {
    const counts = await countsOf(
      db,
      rows.map(({ id }) => id),
    )
    return {
      count: rows.length,
      findings: rows.flatMap(({ id, rows: expected, finished_at: end }) => {
        const count = counts.get(id) ?? 0
        const isWhole = end === null || count >= expected
        return findingsOf('batch', id, [
          ...(expected < 0 ? [`It has ${expected} rows`] : []),
          ...(isWhole ? [] : [`It was finished on ${end}, and has ${count} of its ${expected} rows`]),
        ])
      }),
    }
  },
)

async function countsOf(db: Work['tx']['db'], ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = await db
    .selectFrom('batch_rows')
    .select(['batch_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('batch_id', 'in', [...ids])
    .groupBy('batch_id')
    .execute()
  return new Map(counts.map(({ batch_id: id, count }) => [id, Number(count)]))
}

/** The outcome of a batch row follows from its transaction. */
export const batchRows = passOver(
  'rows of batches',
  (db) =>
    db
      .selectFrom('batch_rows')
      .leftJoin('batches', 'batches.id', 'batch_rows.batch_id')
      .leftJoin('transactions', 'transactions.id', 'batch_rows.object_id')
      .select([
        'batch_rows.id',
        'batch_id',
        'row',
        'batch_rows.status',
        'object_id',
        'error',
        'batches.id as known_batch',
        'batches.kind',
        'batches.finished_at',
        'transactions.id as transaction_id',
        'transactions.status as became',
      ]),
  async ({ tx: { db } }, rows) => {
    // A batch of changes may change the same object again, whatever its status.
    const changes = new Set(rows.filter(isChange).map(({ id }) => id))
    const again = (await rowsAgain(db, rows)).filter(({ id }) => !changes.has(id))
    return {
      count: rows.length,
      findings: [
        ...rows.flatMap((row) => findingsOf('batch', row.id, () => rowProblems(row))),
        ...again.flatMap(({ id, other }) => findingsOf('batch', id, [`It made the same object as ${other}`])),
      ],
    }
  },
  'batch_rows.id',
)

/** Rows stored twice: equal in row number, object and time. */
async function rowsAgain(db: Work['tx']['db'], rows: readonly { readonly id: string }[]) {
  return await db
    .selectFrom('batch_rows as one')
    .innerJoin('batch_rows as other', (join) =>
      join
        .onRef('other.batch_id', '=', 'one.batch_id')
        .onRef('other.row', '=', 'one.row')
        .onRef('other.object_id', '=', 'one.object_id')
        .onRef('other.created_at', '=', 'one.created_at')
        .onRef('other.id', '<', 'one.id'),
    )
    .select(['one.id', 'other.id as other'])
    .where('one.id', '>=', rows[0]?.id ?? '')
    .where('one.id', '<=', rows.at(-1)?.id ?? '')
    .orderBy('one.id')
    .execute()
}

type ExaminedRow = Pick<BatchRowTable, 'batch_id' | 'row' | 'status' | 'object_id' | 'error'> & {
  readonly known_batch: string | null
  readonly kind: string | null
  readonly finished_at: string | null
  readonly transaction_id: string | null
  readonly became: string | null
}

/** Whether a row has changed an object, instead of making one. */
function isChange({ kind }: Pick<ExaminedRow, 'kind'>): boolean {
  return batchKinds.get(kind ?? '')?.about === 'update'
}

function rowProblems(row: ExaminedRow): string[] {
  const { batch_id: batch, status, object_id: id, error, known_batch: known } = row
  const isTransaction = id?.startsWith('txn_') ?? false
  return [
    ...(known === null ? [`Its batch ${batch} does not exist`] : []),
    ...outcomeProblems(row),
    ...(row.row < 1 ? [`Its row number is ${row.row}`] : []),
    ...(isTransaction && row.transaction_id === null ? [`It made ${id}, which does not exist`] : []),
    ...((status === 'done' || status === 'declined') && id === null
      ? [`It is ${status}, and made nothing`]
      : []),
    ...((status === 'failed' || status === 'declined') === (error !== null) || status === 'waiting'
      ? []
      : [`It is ${status}, with the error ${error}`]),
    ...(row.became !== null &&
    !isChange(row) &&
    (status === 'declined') !== (row.became === 'declined') &&
    status !== 'waiting'
      ? [`It is ${status}, and ${id} is ${row.became}`]
      : []),
  ]
}

function outcomeProblems({ status, finished_at: end }: ExaminedRow): string[] {
  if (!STATUSES.has(status)) return [`Its status is ${status}`]
  return status === 'waiting' && end !== null
    ? [`It has no outcome, and its batch was finished on ${end}`]
    : []
}

const STATUSES: ReadonlySet<string> = new Set(['done', 'declined', 'failed', 'waiting'])
