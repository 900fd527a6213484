import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { AdminRules, Steps } from '../../engine/core/write/rule.js'
import type { BatchRowTable } from '../../engine/store/database/tables.js'
import type { Json } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'
import { findBatch, noBatch, otherKind } from './batch-record.js'
import { findRow, rowKey } from './row-record.js'
import { kindNamed } from './row-request.js'
import { type RequestedRow, type RowProgress, runRow } from './run-row.js'

interface BatchContext {
  readonly batchId: string
  readonly kind: string
  readonly rows: readonly unknown[]
}

interface Known {
  readonly row: RequestedRow
  readonly known: BatchRowTable | undefined
}

/**
 * Executes rows of a batch, each in a unit of work that also records its outcome, so that it is executed only once. A
 * refused row changes nothing; its refusal is recorded afterwards. Rows are independent and may share a commit.
 */
export const runRows: AdminRules['run_batch_rows'] = {
  async performInSteps(steps, { id, as, rows, last }) {
    const kind = kindNamed(as ?? '')
    const context = { batchId: id ?? '', kind: as ?? '', rows: Array.isArray(rows) ? rows : [] }
    const requested = await readRequested(steps, context)
    const running = { steps, kind, last: last === 1 }
    const outcomes = await Promise.allSettled(requested.map(({ row, known }) => runRow(running, row, known)))
    return { rows: outcomes.map((outcome, index) => shown(requested[index]?.row.row ?? 0, settled(outcome))) }
  },
}

/** The rows of a request with their recorded outcomes. Throws `InvalidAttributes` without their batch. */
async function readRequested(steps: Steps, { batchId, kind, rows }: BatchContext): Promise<Known[]> {
  return await steps.read(async ({ vault, tx }) => {
    const batch = await findBatch(tx, batchId)
    // A dry run does not begin a batch.
    if (!batch && !steps.dryRun) throw noBatch()
    if (batch && batch.kind !== kind) throw otherKind(batchId, batch.kind)
    const requested: Known[] = []
    for (const { row, occurrence, body, error } of rows.filter(isTree)) {
      const content = { batchId, kind, body: jsonOf(body), occurrence: Number(occurrence ?? 1) }
      const id = rowKey(content, vault)
      const reason = typeof error === 'string' ? error : undefined
      const place = { id, batchId, row: Number(row), body: content.body, error: reason }
      requested.push({ row: place, known: await findRow(tx, id) })
    }
    refuseTwice(requested)
    return requested
  })
}

/** The same row twice in one list would be executed twice in a dry run, and shows a client's error. */
function refuseTwice(requested: readonly Known[]): void {
  const ids = new Set(requested.map(({ row }) => row.id))
  if (ids.size < requested.length)
    throw invalidAttributes({ rows: 'The same content needs another occurrence each time' })
}

/** All rows have ended by now, so that an error of one leaves none of the others running. */
function settled(outcome: PromiseSettledResult<RowProgress>): RowProgress {
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

function shown(row: number, { status, object_id: id, error, before }: RowProgress) {
  return { row, status, id, error, before: before ? 1 : 0 }
}

function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null))
}
