import type { Work } from '../../engine/core/write/work.js'
import type { BatchRowTable } from '../../engine/store/database/tables.js'
import { findingsOf, PAGE, type Pass } from './finding.js'

/** A batch is finished when each row of its file has an outcome; it keeps those of earlier files of its name, too. */
export const batches: Pass = {
  of: 'batches',
  async examine({ tx: { db } }: Work, after) {
    const rows = await db
      .selectFrom('batches')
      .select(['id', 'rows', 'finished_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    const counts = await countsOf(
      db,
      rows.map(({ id }) => id),
    )
    return {
      last: rows.at(-1)?.id,
      count: rows.length,
      findings: rows.flatMap(({ id, rows: expected, finished_at: end }) => {
        const count = counts.get(id) ?? 0
        const isWhole = end === null || count >= expected
        return findingsOf('batch', id, [
          ...(expected < 0 ? [`It has ${expected} rows`] : []),
          ...(isWhole ? [] : [`It was finished on ${end}, and ${count} of its ${expected} rows are there`]),
        ])
      }),
    }
  },
}

async function countsOf(db: Work['tx']['db'], ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const counts = await db
    .selectFrom('batch_rows')
    .select(['batch_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('batch_id', 'in', [...ids])
    .groupBy('batch_id')
    .execute()
  return new Map(counts.map(({ batch_id: id, count }) => [id, Number(count)]))
}

/** What became of a row of a batch is what its transaction says. */
export const batchRows: Pass = {
  of: 'rows of batches',
  async examine({ tx: { db } }: Work, after) {
    const rows = await db
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
        'batches.finished_at',
        'transactions.id as transaction_id',
        'transactions.status as became',
      ])
      .where('batch_rows.id', '>', after)
      .orderBy('batch_rows.id')
      .limit(PAGE)
      .execute()
    const [first, last] = [rows[0]?.id, rows.at(-1)?.id]
    const again = first === undefined || last === undefined ? [] : await rowsAgain(db, first, last)
    return {
      last,
      count: rows.length,
      findings: [
        ...rows.flatMap((row) => findingsOf('batch', row.id, rowProblems(row))),
        ...again.flatMap(({ id, other }) => findingsOf('batch', id, [`What it made, ${other} made, too`])),
      ],
    }
  },
}

/** Rows that are of the same row of a file, and say at the same moment that they made the same. */
async function rowsAgain(db: Work['tx']['db'], first: string, last: string) {
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
    .where('one.id', '>=', first)
    .where('one.id', '<=', last)
    .orderBy('one.id')
    .execute()
}

type ExaminedRow = Pick<BatchRowTable, 'batch_id' | 'row' | 'status' | 'object_id' | 'error'> & {
  readonly known_batch: string | null
  readonly finished_at: string | null
  readonly transaction_id: string | null
  readonly became: string | null
}

function rowProblems(row: ExaminedRow): string[] {
  const { batch_id: batch, status, object_id: id, error, known_batch: known } = row
  const isTransaction = id?.startsWith('txn_') ?? false
  return [
    ...(known === null ? [`Its batch ${batch} is not there`] : []),
    ...(status === 'waiting' && row.finished_at !== null
      ? [`It has no outcome, and its batch was finished on ${row.finished_at}`]
      : []),
    ...(row.row < 1 ? [`It is row ${row.row}`] : []),
    ...(isTransaction && row.transaction_id === null ? [`It made ${id}, which is not there`] : []),
    ...((status === 'done' || status === 'declined') && id === null
      ? [`It is ${status}, and made nothing`]
      : []),
    ...((status === 'failed' || status === 'declined') === (error !== null) || status === 'waiting'
      ? []
      : [`It is ${status}, with the error ${error}`]),
    ...(row.became !== null && (status === 'declined') !== (row.became === 'declined') && status !== 'waiting'
      ? [`It is ${status}, and ${id} is ${row.became}`]
      : []),
  ]
}
