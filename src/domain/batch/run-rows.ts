import { type ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules, Steps } from '../../engine/core/write/rule.js'
import type { BatchRowTable, BatchTable } from '../../engine/store/database/tables.js'
import type { Vault } from '../../engine/store/vault/vault.js'
import type { BatchKind } from '../../schema/batch-kind.js'
import { type Input, isTree } from '../../schema/types.js'
import { findBatch, noBatch, otherKind } from './batch-record.js'
import { findRows, rowId } from './row-record.js'
import { jsonOf, kindNamed } from './row-request.js'
import { versionOf } from './row-version.js'
import { type RequestedRow, type RowProgress, runRow } from './run-row.js'

interface BatchContext {
  readonly batchId: string
  readonly as: string
  readonly kind: BatchKind
  readonly rows: readonly unknown[]
}

interface Known {
  readonly row: RequestedRow
  readonly known: BatchRowTable | undefined
}

/**
 * Executes rows of a batch. Each row has a unit of work that also records its outcome, so that it is executed only
 * once. A refused row leaves no change; its refusal is recorded afterwards. Rows are independent and may share a
 * commit.
 */
export const runRows: AdminRules['run_batch_rows'] = {
  async performInSteps(steps, { id, as, rows, last }) {
    const kind = kindNamed(as ?? '')
    const context = { batchId: id ?? '', as: as ?? '', kind, rows: Array.isArray(rows) ? rows : [] }
    const requested = await readRequested(steps, context)
    const running = { steps, kind, last: last === 1 }
    const outcomes = await Promise.allSettled(requested.map(({ row, known }) => runRow(running, row, known)))
    return { rows: outcomes.map((outcome, index) => shown(requested[index]?.row.row ?? 0, settled(outcome))) }
  },
}

/** The rows of a request with their recorded outcomes. Throws `InvalidAttributes` without their batch. */
async function readRequested(steps: Steps, { batchId, as, kind, rows }: BatchContext): Promise<Known[]> {
  return await steps.read(async ({ vault, tx }) => {
    const batch = await findBatch(tx, batchId)
    // A dry run does not begin a batch.
    if (!batch && !steps.dryRun) throw noBatch()
    if (batch && batch.kind !== as) throw otherKind(batchId, batch.kind)
    const requested = rows.filter(isTree).map((sent) => readRow({ batchId, as, kind, vault }, batch, sent))
    const ids = requested.map(({ id }) => id)
    refuseTwice(ids)
    const known = await findRows(tx, ids)
    return requested.map((row) => ({ row, known: known.get(row.id) }))
  })
}

/** Reads a row of the request. Throws `InvalidAttributes` if only one of the row and its batch has a key. */
function readRow(
  { batchId, as, kind, vault }: Omit<BatchContext, 'rows'> & { readonly vault: Vault },
  batch: BatchTable | undefined,
  { row, occurrence, key: given, body: sent, error }: Input,
): RequestedRow {
  const key = typeof given === 'string' && given !== '' ? given : undefined
  const reason = typeof error === 'string' ? error : undefined
  if (batch && (batch.key !== null) !== (key !== undefined)) throw keyMissing(String(row), batch.key)
  const body = jsonOf(sent)
  const id = rowId({ batchId, kind: as, body, occurrence: Number(occurrence ?? 1), key }, vault)
  const isKept = key !== undefined && reason === undefined
  const content = isKept ? versionOf(kind, { id, body }, vault) : null
  return { id, batchId, row: Number(row), content, body, error: reason }
}

/** Refuses a list with equal rows. A dry run would execute them twice, and they are an error of the client. */
function refuseTwice(ids: readonly string[]): void {
  if (new Set(ids).size < ids.length)
    throw invalidAttributes({
      rows: 'The same content needs another occurrence each time, and each key stands once',
    })
}

function keyMissing(row: string, key: string | null): ApiError {
  const problem = key === null ? 'The batch has no key' : `Required: ${key} identifies the rows of this batch`
  return invalidAttributes({ rows: { [row]: { key: problem } } })
}

/**
 * Outcome of a row; throws its error. Called after all rows have ended, so that no row still runs when an error is
 * thrown.
 */
function settled(outcome: PromiseSettledResult<RowProgress>): RowProgress {
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

function shown(row: number, { status, object_id: id, error, before }: RowProgress) {
  return { row, status, id, error, before: before ? 1 : 0 }
}
