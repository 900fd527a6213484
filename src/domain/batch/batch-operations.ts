import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules } from '../../engine/core/write/rule.js'
import type { Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { BatchTable } from '../../engine/store/database/tables.js'
import { isTree } from '../../schema/types.js'
import {
  findBatch,
  noBatch,
  otherContent,
  otherKey,
  otherKind,
  readBatches,
  showBatch,
} from './batch-record.js'
import { contentKey, findRows, rowId } from './row-record.js'
import { jsonOf, kindNamed } from './row-request.js'
import { runRows } from './run-rows.js'

type BatchRules = Pick<
  AdminRules,
  'list_batches' | 'begin_batch' | 'finish_batch' | 'list_batch_rows' | 'run_batch_rows' | 'count_known_rows'
>

/** Maximum number of rows in a page. */
const MAX_ROWS = 1_000

/** The admin operations that begin, run, list and finish batches. */
export const batchRules: BatchRules = {
  list_batches: {
    perform: async ({ tx }, { id }) => ({ batches: await readBatches(tx, id ?? undefined) }),
  },

  begin_batch: {
    async perform(work, { id, as, content, rows, source, options, key, continue: mayContinue }) {
      kindNamed(as ?? '')
      const batch: BatchTable = {
        id: id ?? '',
        kind: as ?? '',
        content_hash: contentKey(content ?? '', work.vault),
        rows: rows ?? 0,
        source: source ?? null,
        options: options ? JSON.stringify(options) : null,
        key: key || null,
        created_at: work.realNow,
        finished_at: null,
      }
      const { begun, edited } = await begin(work, batch, mayContinue === 1)
      return { ...(await showBatch(work.tx, begun)), edited: edited ? 1 : 0 }
    },
  },

  finish_batch: {
    async perform({ tx, realNow }, { id }) {
      const batch = await findBatch(tx, id ?? '')
      if (!batch) throw noBatch()
      const shown = await showBatch(tx, batch)
      const { rows, done, declined, failed } = shown
      const missing = Math.max(rows - done - declined - failed, shown.waiting)
      if (missing > 0) throw invalidAttributes({ id: `${missing} rows have no outcome yet` })
      const finished = { finished_at: batch.finished_at ?? realNow }
      await tx.db.updateTable('batches').set(finished).where('id', '=', batch.id).execute()
      return await showBatch(tx, { ...batch, ...finished })
    },
  },

  /** A page of the outcomes of a batch in the order of its rows, beginning after the last row of the page before. */
  list_batch_rows: {
    async perform({ tx }, { id, after, limit }) {
      if (!(await findBatch(tx, id ?? ''))) throw noBatch()
      const most = limit ?? MAX_ROWS
      const place = after ? readPlace(after) : { row: 0, id: '' }
      const found = await tx.db
        .selectFrom('batch_rows')
        .select(['id', 'row', 'status', 'object_id', 'error'])
        .where('batch_id', '=', id ?? '')
        .where((eb) => eb(eb.refTuple('row', 'id'), '>', eb.tuple(place.row, place.id)))
        .orderBy('row')
        .orderBy('id')
        .limit(most + 1)
        .execute()
      const shown = found.slice(0, most)
      const last = found.length > most ? shown.at(-1) : undefined
      return {
        rows: shown.map(({ row, status, object_id, error }) => ({ row, status, id: object_id, error })),
        after: last ? `${last.row}.${last.id}` : null,
      }
    },
  },

  run_batch_rows: runRows,

  /** Counts rows of a file by the outcome that the batch has recorded for the same content. */
  count_known_rows: {
    async perform({ tx, vault }, { id, as, rows }) {
      const batch = await findBatch(tx, id ?? '')
      if (!batch) throw noBatch()
      if (batch.kind !== as) throw otherKind(batch.id, batch.kind)
      const counts = { done: 0, declined: 0, failed: 0, waiting: 0, unknown: 0 }
      const ids = (Array.isArray(rows) ? rows.filter(isTree) : []).map(({ occurrence, body }) => {
        const content = { batchId: batch.id, kind: batch.kind, body: jsonOf(body), key: undefined }
        return rowId({ ...content, occurrence: Number(occurrence ?? 1) }, vault)
      })
      const known = await findRows(tx, ids)
      for (const id of ids) counts[known.get(id)?.status ?? 'unknown']++
      return counts
    },
  },
}

interface Begun {
  readonly begun: BatchTable
  /** Whether the batch was begun before with another file or other options, so that it may have other rows now. */
  readonly edited: boolean
}

/** Creates a batch, or continues the one with this name. Throws `Conflict` if their kinds or keys differ. */
async function begin({ tx }: Work, batch: BatchTable, mayContinue: boolean): Promise<Begun> {
  await waitForName(tx, `batch ${batch.id}`)
  const known = await findBatch(tx, batch.id)
  if (!known) {
    await tx.db.insertInto('batches').values(batch).execute()
    return { begun: batch, edited: false }
  }
  if (known.kind !== batch.kind) throw otherKind(known.id, known.kind)
  if (known.key !== batch.key) throw otherKey(known.id, known.key)
  const isSame = known.content_hash === batch.content_hash
  if (known.finished_at !== null && !isSame && !mayContinue) throw otherContent(known.id)
  const { content_hash, rows, source, options } = batch
  const finished_at = isSame ? known.finished_at : null
  const changes = { content_hash, rows, source, options, finished_at }
  await tx.db.updateTable('batches').set(changes).where('id', '=', known.id).execute()
  return { begun: { ...known, ...changes }, edited: !isSame || known.options !== options }
}

function readPlace(text: string): { row: number; id: string } {
  const [, row, id = ''] = /^(\d{1,15})\.([\w-]+)$/.exec(text) ?? []
  if (row === undefined) throw invalidAttributes({ after: 'Must be the after of an earlier answer' })
  return { row: Number(row), id }
}
