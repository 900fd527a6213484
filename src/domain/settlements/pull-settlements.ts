import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import type { DueJob, WorkRunner } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { ExceptionRow, GatewayRow } from '../../engine/store/database/tables.js'
import type { RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import type { Gateways } from '../gateways/gateways.js'
import { noteRead } from '../gateways/note-read.js'
import { mirrorPayouts } from './mirror-payouts.js'
import { findMissingLines } from './missing-lines.js'
import { placeLine } from './record-line.js'
import { storeSettlement } from './store-settlement.js'

/** Milliseconds until settlements are read again, and until then after a failure. */
const PERIOD = 6 * 3_600_000
const RETRY = 600_000
/** Pages that are read from one gateway at once, as one with circular pages must not delay the others. */
const MAX_PAGES = 1_000
/** Lines without a transaction that are read by one query. */
const PAGE = 200

/**
 * Reads the settlements of each gateway since its cursor. A gateway that cannot be read gets the reason as
 * `settlements_problem`, does not delay the others, and is read again later. Gateways: "Settlements".
 */
export function settlementJob(gateways: Gateways): DueJob {
  const failures: Failures = new Map()
  return {
    name: 'settlements',
    async next({ tx }, after) {
      const [first] = await tx.run(firstDueAfter, { after: datetimeOf(after) })
      return first && millisecondsOf(first.due_at)
    },
    async run(runner, at) {
      const due = await runner.read(({ tx }) => tx.run(dueUntil, { until: datetimeOf(at) }))
      let count = 0
      for (const { id } of due) count += await pullFrom({ runner, gateways, failures }, id, at)
      return count
    },
  }
}

/**
 * Times of failed reads by gateway id, in real milliseconds. A clock that is moved by a month passes thousands of
 * retries at once. A gateway that does not answer is called in the first one only.
 */
type Failures = Map<string, number>

interface Pulling {
  readonly runner: WorkRunner
  readonly gateways: Gateways
  readonly failures: Failures
}

/** Returns the number of lines that are new, or matched now. */
async function pullFrom({ runner, gateways, failures }: Pulling, id: string, at: number): Promise<number> {
  const { read, write } = runner
  const found = await read(async (work) => {
    const row = await work.find(resources.gateway, id)
    return row && { row, gateway: await gateways.connect(work, row), now: work.realMilliseconds }
  })
  if (!found) return 0
  const hasJustFailed = found.now - (failures.get(id) ?? 0) < RETRY
  const { count, problem } = hasJustFailed
    ? { count: 0, problem: found.row.settlements_problem }
    : await pulled(runner, found)
  if (problem === null) failures.delete(id)
  else if (!hasJustFailed) failures.set(id, found.now)
  await write(async (work) => {
    const wait = problem === null || hasJustFailed ? PERIOD : RETRY
    const due = Math.max(at, work.milliseconds) + wait
    await work.change(resources.gateway, id, {
      settlements_due_at: datetimeOf(due),
      settlements_problem: problem,
    })
  })
  gateways.changed()
  return count
}

interface Connected {
  readonly row: GatewayRow
  readonly gateway: RemoteGateway
}

async function pulled(runner: WorkRunner, { row, gateway }: Connected) {
  if (!gateway.settlements) return { count: 0, problem: null }
  let count = await placeWaiting(runner, gateway)
  let cursor = row.settlements_cursor
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await gateway.settlements(cursor).catch((error: unknown) => problemOf(error))
    if (typeof answer === 'string') return { count, problem: answer }
    // A batch that is still on its way is read again after it has arrived.
    const settled = answer.batches.filter(({ settledAt }) => settledAt !== null)
    for (const batch of settled) count += await storeSettlement(runner, gateway, batch)
    if (settled.length < answer.batches.length || answer.cursor === cursor) break
    cursor = answer.cursor
    const settlements_cursor = cursor
    await runner.write((work) => noteRead(work, row.id, { settlements_cursor }))
  }
  await findMissingLines(runner, row)
  return { count, problem: null }
}

function problemOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1_000)
}

/** Places lines again that had no transaction, or a pending one. */
async function placeWaiting({ read, write }: WorkRunner, gateway: RemoteGateway): Promise<number> {
  let count = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const last: string = after
    const waiting = await read((work) => unplaced(work, gateway.name, last))
    for (const { id, settlement_id: settlementId } of waiting)
      if (await write((work) => placeAgain(work, gateway, id, settlementId ?? ''))) count++
    after = waiting.length < PAGE ? undefined : waiting.at(-1)?.id
  }
  return count
}

/** Places the lines that an exception was about, and whose loss it is now. */
export async function placeLoss(
  work: Work,
  gateway: RemoteGateway,
  { gateway_id: id }: Pick<ExceptionRow, 'gateway_id'>,
): Promise<void> {
  if (id === null) return
  const lines = await work.tx.db
    .selectFrom('admin_settlement_lines')
    .select(['id', 'settlement_id'])
    .where('status', '=', 'unmatched')
    .where('gateway', '=', gateway.name)
    .where((eb) => eb.or([eb('gateway_id', '=', id), eb('line_id', '=', id)]))
    .orderBy('id')
    .execute()
  for (const line of lines) await placeAgain(work, gateway, line.id, line.settlement_id ?? '')
}

async function placeAgain(
  work: Work,
  gateway: RemoteGateway,
  id: string,
  settlementId: string,
): Promise<boolean> {
  const settlement = await work.lock(resources.settlement, settlementId)
  if (!settlement || !(await placeLine(work, { settlement, gateway, accountOfFees: null }, id))) return false
  await mirrorPayouts(work, settlementId)
  return true
}

async function unplaced({ tx }: Work, gateway: string, after: string) {
  return await tx.db
    .selectFrom('admin_settlement_lines')
    .select(['id', 'settlement_id'])
    .where('status', 'in', ['unmatched', 'waiting'])
    .where('gateway', '=', gateway)
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE)
    .execute()
}

const DUE_AT = sql<string>`coalesce(settlements_due_at, created_at)`

const firstDueAfter = prepared<{ after: string }, { due_at: string }>((db, param) =>
  db
    .selectFrom('admin_gateways')
    .select(DUE_AT.as('due_at'))
    .where('deleted_at', 'is', null)
    .where(DUE_AT, '>', param('after'))
    .orderBy(DUE_AT)
    .limit(1),
)

const dueUntil = prepared<{ until: string }, { id: string }>((db, param) =>
  db
    .selectFrom('admin_gateways')
    .select('id')
    .where('deleted_at', 'is', null)
    .where(DUE_AT, '<=', param('until'))
    .orderBy('id'),
)
