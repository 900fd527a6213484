import { ApiError } from '../../engine/core/request/api-error.js'
import type { DueJob, WorkRunner } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { DisputeRow } from '../../engine/store/database/tables.js'
import type { RemoteGateway } from '../../gateways/contract.js'
import { type ReadBudget, ReadBudgets } from '../../platform/network/read-budget.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { timeOfId } from '../../schema/id-time.js'
import { decidePending } from '../disputes/answer-dispute.js'
import { type Gateways, limitedBy } from '../gateways/gateways.js'
import { recordNotice } from './record-notice.js'

/** Disputes per query. */
const BATCH_SIZE = 100
/** Milliseconds until a dispute is read again: after a failure, and while the outcome of its answer is unknown. */
const RETRY = 600_000
const PENDING_RETRY = 60_000
/** Milliseconds until a dispute is due again if it was due and could not be read. */
const UNTRIED_RETRY = 3_600_000
/**
 * Real milliseconds after a failure in which no dispute is read. Without this pause, many retries could follow at once
 * when the clock is moved.
 */
const FAILED_PAUSE = 30_000

/**
 * Reads the open disputes of a gateway again, because stages and deadlines change at the gateway and notifications get
 * lost. The outcome of an answer may also be unknown.
 */
export function readDisputes(gateways: Gateways, lane: string): DueJob {
  const budgets = new ReadBudgets()
  let failedAt = Number.NEGATIVE_INFINITY
  return {
    name: 'read_disputes',
    lane,
    async next({ tx }, after) {
      const [first] = await tx.run(firstToRead, { gateway: lane, after: datetimeOf(after) })
      return first && millisecondsOf(first.read_at)
    },
    async run(runner, at, _after, stopping) {
      const due = { gateway: lane, until: datetimeOf(at) }
      const find = async () => await runner.read(({ tx }) => tx.run(toRead, due))
      let rows = await find()
      if (rows.length === 0) return 0
      const reading: Reading = { runner, gateways, budget: budgets.begin(stopping), failedAt }
      let count = 0
      // `lookAt` makes each dispute due later, so the loop ends.
      for (; rows.length > 0 && !stopping?.aborted; rows = await find())
        for (const row of rows) if ((await lookAt(reading, row)) === 'read') count++
      failedAt = reading.failedAt
      budgets.ended(reading.budget.end !== undefined && count === 0)
      return count
    },
  }
}

/** A run that reads disputes. */
interface Reading {
  readonly runner: WorkRunner
  readonly gateways: Gateways
  readonly budget: ReadBudget
  /** Time of the last failure, in real milliseconds. */
  failedAt: number
}

/** Result of reading a dispute; `pending`: the outcome of its answer is unknown so far. */
type Looked = 'read' | 'pending' | 'failed' | 'untried'

/**
 * Reads a dispute and makes it due later. Omits the reading if the budget is spent, or if another dispute has failed
 * just now.
 */
async function lookAt(reading: Reading, row: DisputeRow): Promise<Looked> {
  const { runner, gateways, budget } = reading
  const { gateway, now } = await runner.read(async (work) => ({
    gateway: await gateways.forStatus(work, row),
    now: work.realMilliseconds,
  }))
  // The dispute is postponed before it is read, so that it is due later even if the reading fails.
  await postpone(runner, row, gateway && UNTRIED_RETRY)
  const isTried = budget.end === undefined && now - reading.failedAt >= FAILED_PAUSE
  if (!gateway || !isTried) return 'untried'
  const looked = await readOne(runner, limitedBy(budget, gateway), row)
  if (looked === 'failed') reading.failedAt = now
  if (looked !== 'read') await postpone(runner, row, looked === 'failed' ? RETRY : PENDING_RETRY)
  return looked
}

/**
 * Makes a dispute due after `pause` milliseconds. If `pause` is undefined, its gateway is gone and it is not read any
 * more.
 */
async function postpone({ write }: WorkRunner, { id }: DisputeRow, pause: number | undefined): Promise<void> {
  await write(async (work) => {
    const row = await work.lock(resources.dispute, id)
    if (!row || row.read_at === null) return
    const again = pause === undefined ? null : datetimeOf(work.milliseconds + pause)
    await work.change(resources.dispute, id, { read_at: again })
  })
}

async function readOne(
  runner: WorkRunner,
  gateway: RemoteGateway,
  { id, reference, gateway_merchant: merchant }: DisputeRow,
): Promise<Exclude<Looked, 'untried'>> {
  const at = { dispute: reference ?? '', merchant: merchant ?? undefined }
  const notices = await gateway.disputes?.read(at).catch(() => undefined)
  const state = notices?.find((notice) => notice.kind === 'dispute')
  if (!notices || !state) return 'failed'
  try {
    for (const notice of notices) await runner.write((work) => recordNotice(work, gateway, notice))
  } catch (error) {
    // An operation on the payment is pending: the notice is recorded afterwards.
    if (error instanceof ApiError && error.type === 'Conflict') return 'pending'
    throw error
  }
  await runner.write(async (work) => {
    const [, operation = ''] = (await work.find(resources.dispute, id))?.pending_operation?.split(':') ?? []
    if (operation === '') return
    const isLate = work.realMilliseconds - timeOfId(operation) >= gateway.capabilities.horizon
    await decidePending(work, id, state, isLate)
  })
  const after = await runner.read((work) => work.find(resources.dispute, id))
  return after?.pending_operation ? 'pending' : 'read'
}

const firstToRead = prepared<{ gateway: string; after: string }, { read_at: string }>((db, param) =>
  db
    .selectFrom('disputes')
    .select((eb) => eb.ref('read_at').$notNull().as('read_at'))
    .where('gateway', '=', param('gateway'))
    .where('read_at', '>', param('after'))
    .orderBy('read_at')
    .limit(1),
)

const toRead = prepared<{ gateway: string; until: string }, DisputeRow>((db, param) =>
  db
    .selectFrom('disputes')
    .selectAll()
    .where('gateway', '=', param('gateway'))
    .where('read_at', '<=', param('until'))
    .orderBy('read_at')
    .limit(BATCH_SIZE),
)
