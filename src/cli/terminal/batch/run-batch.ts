import { createHash } from 'node:crypto'
import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { ClientRequest } from '../client/client.js'
import { UsageError } from '../failure/failure.js'
import type { Progress } from '../output/progress.js'
import { type BatchFile, rowsOf } from './batch-file.js'
import type { BatchPlan } from './batch-plan.js'
import { BatchSummary } from './batch-summary.js'
import type { ResultFiles, RowOutcome } from './result-files.js'
import { sendAll } from './send-all.js'
import type { BatchSending } from './send-rows.js'
import type { Stop } from './stop.js'

/** A batch to send, with the dependencies of sending. */
export interface RunningBatch {
  readonly batchId: string
  readonly as: string
  readonly file: BatchFile
  readonly plan: BatchPlan
  readonly dryRun: boolean
  readonly concurrency: number
  /** Number of failed rows in this run after which sending stops. */
  readonly maxFailures: number
  readonly stop: Stop
  readonly progress: Progress
  /** Result files; undefined in a dry run. */
  readonly files: ResultFiles | undefined
  /** Throws a `Refusal` if the answer is an error. */
  ask(request: ClientRequest): Promise<ApiResponse>
  /** Called for each row that was declined, failed, or edited after its outcome. */
  bad(row: number, outcome: RowOutcome): void
}

/** The result of a run. */
export interface Ran {
  readonly summary: BatchSummary
  /** Whether every row of the file has its outcome. */
  readonly whole: boolean
  /** The error that ended the run early; undefined if none did. */
  readonly failure: unknown
}

/** Sends every row of a file and records its outcome. Never throws: a failure is part of the result. */
export async function runBatch(running: RunningBatch): Promise<Ran> {
  const { file, plan, stop, concurrency, maxFailures } = running
  const summary = new BatchSummary()
  const digest = createHash('sha256')
  const isOver = () => stop.isRequested || summary.bad - summary.badBefore >= maxFailures
  try {
    // If the plan found no equal rows, rows need not be counted. The digest at the end detects rows that
    // were added during the run.
    const pace = { concurrency, stop: isOver, isRepeated: plan.repeated > 0 }
    const rows = sendAll(sendingOf(running), rowsOf(file, digest), pace)
    for await (const sent of rows) {
      for (const { row, outcome } of sent) note(running, summary, row.raw.row, outcome)
      running.files?.add(sent)
      const count = (status: string) => sent.filter(({ outcome }) => outcome.status === status).length
      running.progress.add(sent.length, count('failed'), count('declined'))
    }
  } catch (failure) {
    return { summary, whole: false, failure }
  }
  const isAll = summary.all === plan.rows && summary.waiting === 0
  if (!isAll) return { summary, whole: false, failure: undefined }
  if (digest.digest('base64url') === plan.content) return { summary, whole: true, failure: undefined }
  const failure = new UsageError('The file has changed while it was read; run the batch again')
  return { summary, whole: false, failure }
}

function sendingOf({ batchId, as, dryRun, ask, stop, progress }: RunningBatch): BatchSending {
  return {
    batchId,
    as,
    dryRun,
    ask,
    pause: (milliseconds) => stop.pause(milliseconds),
    wait: (reason) => progress.say(reason),
  }
}

function note({ bad }: RunningBatch, summary: BatchSummary, row: number, outcome: RowOutcome): void {
  summary.add(outcome)
  if (isBad(outcome)) bad(row, outcome)
}

function isBad({ status }: RowOutcome): boolean {
  return status === 'declined' || status === 'failed' || status === 'edited'
}
