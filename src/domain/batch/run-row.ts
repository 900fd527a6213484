import { ApiError } from '../../engine/core/request/errors.js'
import type { ApiResponse } from '../../engine/core/request/request.js'
import type { IdempotencyStore } from '../../engine/core/write/idempotency.js'
import type { InnerRequest, Steps } from '../../engine/core/write/rule.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { BatchRowTable } from '../../engine/store/database/tables.js'
import type { BatchKind } from '../../resources/batch-kinds.js'
import type { Json } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'
import { decideOpen } from './decide-open.js'
import { errorText, refusalText } from './refusal-text.js'
import { findRow, type Outcome, type RowPlace, recordRow } from './row-record.js'
import { rowRequest } from './row-request.js'
import { withWholeAmount } from './whole-amount.js'

/** A row as it is asked for. */
export interface RequestedRow extends RowPlace {
  readonly body: Json
  /** Why it cannot be done, where whoever sends it knows. */
  readonly error: string | undefined
}

export interface RunningRow {
  readonly steps: Steps
  readonly kind: BatchKind
  /** What stands in the way of a row now is not waited for. */
  readonly last: boolean
}

/** An outcome, and whether it is an old one. */
export interface RowProgress extends Outcome {
  readonly before: boolean
}

/** Does a row unless it is done. Throws what is not the row's fault: it is to be asked for again. */
export async function runRow(
  running: RunningRow,
  row: RequestedRow,
  known: BatchRowTable | undefined,
): Promise<RowProgress> {
  if (known?.status === 'waiting') return await decideWaiting(running, row, known)
  if (known) return { ...known, before: true }
  if (row.error !== undefined) return await fail(running, row, errorText(row.error))
  try {
    return await executeRow(running, row, await requestFor(running, row))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 429) throw error
    const text = refusalText(running.kind, error)
    const passes = error.type === 'Conflict' && !running.last
    return passes ? { ...outcome('waiting', null, text), before: false } : await fail(running, row, text)
  }
}

async function requestFor({ steps, kind }: RunningRow, { body }: RequestedRow): Promise<InnerRequest> {
  return rowRequest(kind, await withWholeAmount(steps, kind, body))
}

async function executeRow(
  { steps }: RunningRow,
  row: RequestedRow,
  request: InnerRequest,
): Promise<RowProgress> {
  let progress: RowProgress | undefined
  const note = async (work: Parameters<IdempotencyStore['find']>[0], noted: Outcome) => {
    progress = { ...noted, before: false }
    await recordRow(work, row, noted)
  }
  const idempotencyStore: IdempotencyStore = {
    async find({ tx }) {
      await waitForName(tx, row.id)
      const found = await findRow(tx, row.id)
      if (!found) return undefined
      progress = { ...found, before: true }
      return { status: 200, body: {}, headers: {} }
    },
    async save(work, response) {
      await note(work, outcomeOf(response))
      return undefined
    },
    savePending: (work, { ids: [id = null] }) => note(work, outcome('waiting', id, null)),
  }
  const response = await steps.handle(request, idempotencyStore)
  return progress ?? { ...outcomeOf(response), before: false }
}

/** What an answer that is not thrown says: it is done, or it is stored and yet declined. */
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

/** Notes that a row was refused, unless somebody else has done it meanwhile. */
async function fail({ steps }: RunningRow, row: RequestedRow, error: string): Promise<RowProgress> {
  const failed = outcome('failed', null, error)
  return await steps.write(async (work) => {
    await waitForName(work.tx, row.id)
    const found = await findRow(work.tx, row.id)
    if (found) return { ...found, before: true }
    if (!steps.dryRun) await recordRow(work, row, failed)
    return { ...failed, before: false }
  })
}

/** A row that has begun: what has become of it meanwhile. */
async function decideWaiting(
  { steps, kind }: RunningRow,
  row: RequestedRow,
  known: BatchRowTable,
): Promise<RowProgress> {
  return await steps.write(async (work) => {
    const decided = await decideOpen(work, kind, known)
    if (decided.status !== 'waiting') await recordRow(work, row, decided)
    return { ...decided, before: false }
  })
}
