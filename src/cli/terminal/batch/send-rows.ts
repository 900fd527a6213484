import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { JsonObject } from '../../../schema/json.js'
import type { ClientRequest } from '../client/client.js'
import { EXIT } from '../failure/exit-codes.js'
import { failureOf, Refusal } from '../failure/failure.js'
import { isObject } from '../input/body.js'
import { cleanText } from '../output/clean.js'
import type { BatchRow } from './read-row.js'
import type { RowOutcome } from './result-files.js'

/** A row, with its number among the rows of equal content. */
export interface CountedRow extends BatchRow {
  readonly occurrence: number
}

/** Dependencies of sending rows. */
export interface BatchSending {
  readonly batchId: string
  readonly as: string
  readonly dryRun: boolean
  /** Throws a `Refusal` if the answer is an error. */
  ask(request: ClientRequest): Promise<ApiResponse>
  pause(milliseconds: number): Promise<unknown>
  /** Called with the reason before each pause. */
  wait(reason: string): void
}

/** Milliseconds before each further attempt: a server may just be starting. */
const BACKOFF = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000]
/** Maximum length of the stored error of an unreadable row, in characters. */
const LONGEST_ERROR = 1_000
/** Number of times that rows without an outcome are sent again. */
const MAX_RESENDS = 5

/**
 * Sends rows until each has an outcome. Rows without an outcome are sent again, which is safe: no row is done twice.
 * After the last attempt they stay `waiting`. Throws permanent errors, and temporary errors that last too long.
 */
export async function sendRows(sending: BatchSending, rows: readonly CountedRow[]): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  let open = rows.map((row, index) => ({ row, index }))
  for (let attempt = 0; open.length > 0; attempt++) {
    const last = attempt >= MAX_RESENDS
    const answers = await sendWithRetries(
      sending,
      rowsRequest(
        sending,
        open.map(({ row }) => row),
        last,
      ),
    )
    for (const [place, { index }] of open.entries()) outcomes[index] = answers[place] ?? UNKNOWN
    if (last) break
    open = open.filter(({ index }) => outcomes[index]?.status === 'waiting')
    if (open.length > 0) await sending.pause(BACKOFF[attempt] ?? 0)
  }
  return outcomes
}

const UNKNOWN: RowOutcome = { status: 'waiting', id: null, error: null, before: false }

/** The request for rows. `last` marks the last attempt: the service then lets conflicting rows fail. */
export function rowsRequest(
  { batchId, as, dryRun }: Pick<BatchSending, 'batchId' | 'as' | 'dryRun'>,
  rows: readonly CountedRow[],
  last: boolean,
): ClientRequest {
  const sent = rows.map(
    ({ raw, body, error, occurrence, key }): JsonObject => ({
      row: raw.row,
      ...(key === undefined ? occurrence > 1 && { occurrence } : { key }),
      body,
      ...(error !== undefined && { error: noted(error) }),
    }),
  )
  const body = { id: batchId, as, rows: sent, ...(last && { last }) }
  return { method: 'POST', path: '/admin/batches/rows', body, ...(dryRun && { dryRun }) }
}

/** Reason why a row is unreadable, in a form that can be stored: shortened, but not within a character. */
function noted(error: string): string {
  return cleanText(error)
    .slice(0, LONGEST_ERROR)
    .replace(/\p{Surrogate}/gu, '')
}

async function sendWithRetries(sending: BatchSending, request: ClientRequest): Promise<RowOutcome[]> {
  const { body } = await askPatiently(sending, request)
  return Array.isArray(body.rows) ? body.rows.filter(isObject).map(outcomeOf) : []
}

/**
 * Sends an idempotent request, and repeats it for about a minute while the service is unavailable or busy. Throws
 * permanent errors, and temporary errors that last too long.
 */
export async function askPatiently(
  sending: Pick<BatchSending, 'ask' | 'pause' | 'wait'>,
  request: ClientRequest,
): Promise<ApiResponse> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await sending.ask(request)
    } catch (error) {
      const pause = BACKOFF[attempt]
      if (pause === undefined || !isTemporary(error)) throw error
      sending.wait(failureOf(error).lines.join(' '))
      await sending.pause(pause)
    }
  }
}

/** Whether the same request may succeed later. */
function isTemporary(error: unknown): boolean {
  if (error instanceof Refusal) return [429, 500, 503].includes(error.response.status)
  return failureOf(error).exitCode === EXIT.unavailable
}

function outcomeOf({ status, id, error, before }: JsonObject): RowOutcome {
  return { status: String(status), id: textOf(id), error: textOf(error), before: before === true }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
