import { basename, dirname, join, parse, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import type { ApiResponse } from '../../../engine/core/request/request.js'
import { stopwatch } from '../../../platform/clock.js'
import { systemRandom } from '../../../platform/random.js'
import type { JsonObject } from '../../../schema/json.js'
import { showMoney } from '../../../schema/money.js'
import type { Registry } from '../../../schema/registry.js'
import type { ClientRequest } from '../client/client.js'
import { Refusal, UsageError } from '../failure/failure.js'
import { isObject } from '../input/body.js'
import { Progress } from '../output/progress.js'
import { requireDestination } from '../paging/destination.js'
import { type BatchFile, openBatchFile, rowsOf } from './batch-file.js'
import type { BatchJob, RequestedBatch } from './batch-job.js'
import { kindOf } from './batch-kind.js'
import { type BatchPlan, planOf } from './batch-plan.js'
import { agreeToEdited } from './edited-file.js'
import { byHeaders } from './file-columns.js'
import { expectUnchanged, openInput } from './input-file.js'
import { planText } from './plan-text.js'
import { renamingOf } from './renaming.js'
import { ResultFiles } from './result-files.js'
import { type Ran, runBatch } from './run-batch.js'
import { BATCH_SIZE, batchesOf } from './send-all.js'
import { askPatiently, rowsRequest } from './send-rows.js'
import { Stop } from './stop.js'

/** Dependencies of a batch, provided by its command. */
export interface Stage {
  readonly registry: Registry
  readonly dryRun: boolean
  /** Whether stderr is a terminal that shows progress. */
  readonly isWatched: boolean
  /** Throws a `Refusal` if the answer is an error. */
  ask(request: ClientRequest): Promise<ApiResponse>
  /** Throws a `Refusal` if the spending limit of the profile refuses one of the requests; none is sent. */
  checkLimit(requests: AsyncIterable<ClientRequest>): Promise<void>
  /** Asks for confirmation of the requests, if needed, before any request is sent. Throws if they are not confirmed. */
  confirm(plan: BatchPlan, requests: AsyncIterable<ClientRequest>): Promise<void>
  /** Prints a warning; throws unless the operator at the terminal agrees, or `isAgreed` is set by a flag. */
  agree(warning: string, isAgreed: boolean): Promise<void>
  say(text: string): void
}

/** The result of a batch. */
export interface Performed extends Ran {
  readonly batchId: string
  readonly isInterrupted: boolean
  /** Paths of the result files. */
  readonly files: readonly string[]
  /** The batch as the service shows it; in a dry run, the expected batch. */
  readonly body: JsonObject
}

/**
 * Maximum number of edited rows that are printed. In a dry run, the maximum number of printed rows with any problem.
 */
const SHOWN = 20

/**
 * Reads a file, prints its plan, and sends its rows. Throws before any row is sent if the file cannot be used, or if
 * the name belongs to another batch. A later failure is part of the result, with the rows done until then.
 */
export async function performBatch(
  stage: Stage,
  requested: RequestedBatch,
  stdin: NodeJS.ReadableStream,
): Promise<Performed> {
  const { options, from } = requested
  const input = await openInput(from, stdin, systemRandom)
  try {
    const job = { ...requested, ...(await kindOf(stage.registry, requested, input)) }
    const { kind } = job
    const batchId = job.batchId ?? (input.path === undefined ? undefined : basename(input.path))
    if (batchId === undefined) throw new UsageError('Missing --batch-id: what is piped has no name')
    const renaming = renamingOf(options.map ?? [])
    const file = await openBatchFile(input, {
      registry: stage.registry,
      kind,
      given: options,
      renaming,
      key: job.key,
      skipsDuplicates: options['skip-duplicates'] === true,
      clears: options['clear-blanks'] === true,
    })
    const plan = await planOf(file)
    for (const line of planText(batchId, job.as, plan, file)) stage.say(line)
    const ready = { batchId, file, plan }
    await stage.checkLimit(requestsOf(stage, job, ready))
    // If the service is down, the command fails here. Later requests wait for the service (`patient`).
    const began = !stage.dryRun || job.goOn ? await begin({ ...stage, dryRun: true }, job, ready) : {}
    const later = { ...stage, ask: patient(stage) }
    if (job.as === 'payment' && plan.withoutDestination > 0)
      await requireDestination(later.ask, 'a column processing_id')
    await agreeToEdited(later, job, ready, began)
    if (stage.dryRun) return await send(stage, job, { ...ready, files: undefined })
    await stage.confirm(plan, requestsOf(stage, job, ready))
    await expectUnchanged(input, plan)
    const files = new ResultFiles(placeOf(job.out, input.path, batchId), file, job.isSafe)
    await begin(later, job, ready).catch((error: unknown) => {
      files.drop()
      throw error
    })
    return await send(stage, job, { ...ready, files })
  } finally {
    input.close()
  }
}

/** The requests for all rows of a file, which is read anew. */
async function* requestsOf(
  { dryRun }: Stage,
  { as }: BatchJob,
  { batchId, file }: Planned,
): AsyncIterable<ClientRequest> {
  for await (const rows of batchesOf(rowsOf(file), { size: BATCH_SIZE, isRepeated: false }))
    yield rowsRequest({ batchId, as, dryRun }, rows, false)
}

/** Function that sends a request, and retries while the service is unavailable. */
function patient({ ask, say }: Stage): Stage['ask'] {
  const pause = (milliseconds: number) => wait(milliseconds)
  return async (request) => await askPatiently({ ask, pause, wait: say }, request)
}

interface Planned {
  readonly batchId: string
  readonly file: BatchFile
  readonly plan: BatchPlan
}

type Ready = Pick<Parameters<typeof runBatch>[0], 'batchId' | 'file' | 'plan' | 'files'>

async function send(stage: Stage, { as, pace }: BatchJob, ready: Ready): Promise<Performed> {
  const { batchId, plan, files } = ready
  const progress = new Progress(plan.rows, stage.isWatched ? process.stderr : undefined, stopwatch)
  const stop = new Stop()
  const { concurrency, 'max-failures': most, 'stop-on-error': one } = pace
  let shownRefusals = 0
  const ran = await runBatch({
    ...ready,
    as,
    dryRun: stage.dryRun,
    stop,
    progress,
    ask: stage.ask,
    concurrency: one ? 1 : concurrency,
    maxFailures: one ? 1 : (most ?? Number.POSITIVE_INFINITY),
    bad: (row, { status, error }) => {
      const isEdited = status === 'edited'
      // The plan has listed this row already.
      if (plan.problems.some((problem) => problem.row === row) && !isEdited) return
      if ((!stage.dryRun && !isEdited) || ++shownRefusals > SHOWN) return
      const reason = byHeaders(ready.file.columns, error ?? '')
      const line = `row ${row}${isEdited ? ' was edited and is left alone' : ''}, ${reason}`
      if (stage.isWatched) progress.say(line)
      else stage.say(line)
    },
  })
  progress.end()
  stop.forget()
  const { paths = [], failure } = files?.end(ran.summary.all > 0) ?? {}
  const body = stage.dryRun ? planned(batchId, as, plan, ran) : await batchAfter(patient(stage), batchId, ran)
  return {
    ...ran,
    batchId,
    isInterrupted: stop.isRequested,
    files: paths,
    body,
    failure: ran.failure ?? failure,
  }
}

/**
 * Path of the result files without their endings: `refunds` for `refunds.csv`, by default in the same folder. For
 * another batch of the same file, it contains the batch's name, so that no file is overwritten: `refunds.january`.
 */
function placeOf(out: string | undefined, path: string | undefined, batchId: string): string {
  const folder = out ?? (path === undefined ? '.' : dirname(path))
  const plain = batchId.replace(/[/\\]/g, '-')
  if (path === undefined) return join(folder, plain)
  const { name, base } = parse(path)
  return join(folder, batchId === base ? name : `${name}.${plain}`)
}

/** Begins or resumes the batch; in a dry run, returns the expected batch. */
async function begin(
  { dryRun, ask }: Stage,
  job: BatchJob,
  { batchId, file, plan }: Planned,
): Promise<JsonObject> {
  const { from, as, options, goOn } = job
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const body: JsonObject = {
    id: batchId,
    as,
    content: plan.content,
    rows: plan.rows,
    ...(from !== '-' && { source: resolve(from) }),
    ...(Object.keys(given).length > 0 && { options: given }),
    ...(file.key && { key: file.key.name }),
    ...(goOn && { continue: true }),
  }
  try {
    return (await ask({ method: 'POST', path: '/admin/batches', body, ...(dryRun && { dryRun }) })).body
  } catch (error) {
    throw error instanceof Refusal && error.response.status === 409 ? withFlags(error) : error
  }
}

/** The service's refusal, with the flags that solve the problem. */
function withFlags({ response }: Refusal): Refusal {
  const { error_description: text, details } = response.body
  const description = `${text}. --batch-id NEW gives it another name${goesOn(details)}`
  const body = { ...response.body, error_description: description, details: {} }
  return new Refusal({ ...response, body })
}

/** Hint that names the flag with which the batch can continue; empty if no flag helps. */
function goesOn(details: unknown): string {
  if (!isObject(details)) return ''
  if ('content' in details) return '; --continue goes on'
  if (typeof details.key !== 'string') return ''
  return details.key === '' ? '; without --key it goes on' : `; --key '${details.key}' goes on`
}

async function batchAfter(ask: Stage['ask'], id: string, { whole, failure }: Ran): Promise<JsonObject> {
  if (whole) return (await ask({ method: 'PUT', path: '/admin/batches', body: { id } })).body
  // After a failure the service may be unreachable, so the batch is not read.
  if (failure !== undefined) return {}
  const { body } = await ask({ method: 'GET', path: '/admin/batches', query: [['id', id]] })
  const [batch] = Array.isArray(body.batches) ? body.batches : []
  return { object: 'batch', ...(typeof batch === 'object' && !Array.isArray(batch) ? batch : {}) }
}

function planned(id: string, as: string, { rows, total, amounts }: BatchPlan, { summary }: Ran): JsonObject {
  const { done, declined, failed, edited } = summary
  const amount: JsonObject = amounts > 0 ? { amount: showMoney(total) } : {}
  return {
    object: 'batch_plan',
    id,
    as,
    rows,
    ...amount,
    done,
    declined,
    failed,
    ...(edited > 0 && { edited }),
  }
}
