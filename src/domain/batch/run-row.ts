import { ApiError } from '../../engine/core/request/api-error.js'
import type { ApiResponse } from '../../engine/core/request/request.js'
import type { IdempotencyStore } from '../../engine/core/write/idempotency.js'
import type { InnerRequest, Steps } from '../../engine/core/write/rule.js'
import type { Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { BatchRowTable, TransactionRow } from '../../engine/store/database/tables.js'
import type { BatchKind } from '../../schema/batch-kind.js'
import type { Json } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'
import { decideRow, findRow, forgetRow, type Outcome, type RowPlace, recordRow } from './row-record.js'
import { errorText, refusalText, rowRequest, withPayment } from './row-request.js'
import { editedText } from './row-version.js'

/** A row as the client sends it. */
export interface RequestedRow extends RowPlace {
  readonly body: Json
  /** Reason why the client already knows that the row cannot be executed. */
  readonly error: string | undefined
}

export interface RunningRow {
  readonly steps: Steps
  readonly kind: BatchKind
  /** The last attempt: a conflict is recorded as a failure instead of being retried. */
  readonly last: boolean
}

/** Outcome of a row, and whether it was recorded before. It is `edited` if the row had another content then. */
export interface RowProgress extends Omit<Outcome, 'status'> {
  readonly status: Outcome['status'] | 'edited'
  readonly before: boolean
}

/**
 * Executes a row unless its outcome is recorded. Throws errors that the row has not caused; the client then sends the
 * row again.
 */
export async function runRow(
  running: RunningRow,
  row: RequestedRow,
  known: BatchRowTable | undefined,
): Promise<RowProgress> {
  if (known?.status === 'waiting') return await decideWaiting(running, row, known)
  if (known) return asRecorded(row, known)
  if (row.error !== undefined) return await fail(running, row, errorText(row.error))
  try {
    return await executeRow(running, row, await requestFor(running, row))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 429) throw error
    const text = refusalText(running.kind, error)
    const isRetried = error.type === 'Conflict' && !running.last
    return isRetried ? { ...outcome('waiting', null, text), before: false } : await fail(running, row, text)
  }
}

async function requestFor({ steps, kind }: RunningRow, { body }: RequestedRow): Promise<InnerRequest> {
  return rowRequest(kind, kind.about ? await withPayment(steps, kind, body) : body)
}

async function executeRow(
  { steps }: RunningRow,
  row: RequestedRow,
  request: InnerRequest,
): Promise<RowProgress> {
  let progress: RowProgress | undefined
  const record = async (work: Parameters<IdempotencyStore['find']>[0], recorded: Outcome) => {
    await (progress ? decideRow(work.tx, row.id, recorded) : recordRow(work, row, recorded))
    progress = { ...recorded, before: false }
  }
  const idempotencyStore: IdempotencyStore = {
    async find({ tx }) {
      await waitForName(tx, row.id)
      const found = await findRow(tx, row.id)
      // If this unit of work is retried, its earlier writes were rolled back. So progress is set again from the
      // database.
      progress = found && asRecorded(row, found)
      return found && { status: 200, body: {}, headers: {} }
    },
    save: (work, response) => record(work, outcomeOf(response)),
    savePending: (work, { ids: [id = null] }) => record(work, outcome('waiting', id, null)),
    async forget({ tx }) {
      progress = undefined
      await forgetRow(tx, row.id)
    },
  }
  const response = await steps.handle(request, idempotencyStore)
  return progress ?? { ...outcomeOf(response), before: false }
}

/** A recorded outcome, or the refusal of a row that was edited after it; neither executes the row again. */
function asRecorded({ content }: RequestedRow, known: BatchRowTable): RowProgress {
  if (known.content === content) return { ...known, before: true }
  const error = editedText(known.status, known.content, content)
  return { status: 'edited', object_id: known.object_id, error, before: true }
}

/** The outcome of a response: done, or stored as declined. */
function outcomeOf({ status, body }: ApiResponse): Outcome {
  if (status === 200) return outcome('done', idIn(body), null)
  return outcome('declined', idIn(body.details), String(body.error_description))
}

function idIn(object: unknown): string | null {
  return isTree(object) && typeof object.id === 'string' ? object.id : null
}

function outcome(status: Outcome['status'], id: string | null, error: string | null): Outcome {
  return { status, object_id: id, error }
}

/** Records a refusal of a row, unless another request has executed the row since. */
async function fail({ steps }: RunningRow, row: RequestedRow, error: string): Promise<RowProgress> {
  const failed = outcome('failed', null, error)
  return await steps.write(async (work) => {
    await waitForName(work.tx, row.id)
    const found = await findRow(work.tx, row.id)
    if (found) return asRecorded(row, found)
    if (!steps.dryRun) await recordRow(work, row, failed)
    return { ...failed, before: false }
  })
}

/** Reads the outcome of a waiting row, and records it if it is known now. */
async function decideWaiting(
  { steps, kind }: RunningRow,
  row: RequestedRow,
  known: BatchRowTable,
): Promise<RowProgress> {
  return await steps.write(async (work) => {
    const decided = await decideOpen(work, statusOf(kind, row.body), known)
    if (decided.status === 'waiting') return { ...decided, before: false }
    await decideRow(work.tx, row.id, decided)
    return { ...asRecorded(row, { ...known, ...decided }), before: false }
  })
}

/** Finds a transaction even if it was deleted since, as a declined or voided one may be. */
const transactionEver = prepared<{ id: string }, TransactionRow>((db, param) =>
  db.selectFrom('transactions').selectAll().where('id', '=', param('id')),
)

/** The status that a row requests for its transaction; undefined for a new transaction. */
function statusOf({ about, preset }: BatchKind, body: Json): unknown {
  if (about === 'void') return preset['status']
  return about === 'update' && isTree(body) ? body.status : undefined
}

/**
 * The outcome of a row whose transaction waited for the gateway; still `waiting` until it is known. If the
 * transaction was to be voided or captured, and was not, the row has failed.
 */
async function decideOpen(work: Work, given: unknown, known: Outcome): Promise<Outcome> {
  const { object_id: id } = known
  const [row] = id === null ? [] : await work.tx.run(transactionEver, { id })
  if (!row || row.pending_operation !== null) return { status: 'waiting', object_id: id, error: null }
  const reason = row.status_message
  if (given === 'voided' && row.status !== 'voided')
    return { status: 'failed', object_id: id, error: reason ?? 'It was not voided' }
  if (given === 'processed' && row.status === 'authorized')
    return { status: 'failed', object_id: id, error: reason ?? 'It was not captured' }
  const isBad = row.status === 'declined' || row.status === 'rejected'
  return { status: isBad ? 'declined' : 'done', object_id: id, error: isBad ? reason : null }
}
