import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import type { DueJob, WorkRunner } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { ExceptionRow, GatewayRow } from '../../engine/store/database/tables.js'
import type { RemoteGateway, Settlements } from '../../gateways/contract.js'
import { type ReadBudget, ReadBudgets } from '../../platform/network/read-budget.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { type Gateways, limitedBy } from '../gateways/gateways.js'
import { noteRead } from '../gateways/note-read.js'
import { failPayout } from './fail-payout.js'
import { explainPaid, mirrorPayouts } from './mirror-payouts.js'
import { findMissingLines } from './missing-lines.js'
import { oddityIn } from './odd-settlement.js'
import { placeLine } from './record-line.js'
import { storeSettlement } from './store-settlement.js'

/** Milliseconds until settlements are read again: after their end, after a failure, and when the budget was spent. */
const PERIOD = 6 * 3_600_000
const RETRY = 600_000
const SOON = 60_000
/** Real milliseconds for which no run begins after one that has spent its budget. */
const CUT_PAUSE = SOON / 2
/** Limits of pages and lines in one run; the lines of a page are all stored. */
const MAX_PAGES = 200
const MAX_LINES = 20_000
/**
 * Number of successive runs that may spend their budget before the list ends; a list that needs more is considered
 * endless.
 */
const MAX_CUTS = 100
/** Lines without a transaction that are read by one query. */
const PAGE = 200

/**
 * Reads the settlements of a gateway since its cursor. A run reads within a budget of time and bytes, stores the rows
 * read, and the next run continues from there. The gateway's `settlements_problem` gets the reason if its list cannot
 * be read, does not advance or does not end. The gateway is read again later. See docs/gateways.md, "Settlements".
 */
export function settlementJob(gateways: Gateways, name: string): DueJob {
  const reading: Reading = { gateways, series: new ReadBudgets(), failedAt: 0, cutAt: 0, cuts: 0 }
  return {
    name: 'settlements',
    lane: name,
    async next({ tx }, after) {
      const [first] = await tx.run(firstDueAfter, { name, after: datetimeOf(after) })
      return first && millisecondsOf(first.due_at)
    },
    async run(runner, at, _after, stopping) {
      const [due] = await runner.read(({ tx }) => tx.run(dueUntil, { name, until: datetimeOf(at) }))
      return due ? await pullFrom(runner, reading, { id: due.id, at, stopping }) : 0
    },
  }
}

/**
 * State of reading the settlements of a gateway; times in real milliseconds. If the clock is moved by a month,
 * thousands of retries are due at once. A gateway that fails, or whose list does not end, is then called only once.
 */
interface Reading {
  readonly gateways: Gateways
  readonly series: ReadBudgets
  failedAt: number
  cutAt: number
  /** Number of successive runs that have spent their budget. */
  cuts: number
}

interface Due {
  readonly id: string
  readonly at: number
  readonly stopping: AbortSignal | undefined
}

/** Result of reading a list. */
interface Pulled {
  /** Number of lines that are new, or matched now. */
  readonly count: number
  /** Whether the budget was spent before the list ended. */
  readonly isCut: boolean
  readonly problem: string | null
}

/** Reads the settlements of a gateway now, whenever they are due. Returns the number of lines that are new, or matched now. */
export async function pullNow(
  runner: WorkRunner,
  gateways: Gateways,
  id: string,
  at: number,
): Promise<number> {
  const reading: Reading = { gateways, series: new ReadBudgets(), failedAt: 0, cutAt: 0, cuts: 0 }
  return await pullFrom(runner, reading, { id, at, stopping: undefined })
}

/** Returns the number of lines that are new, or matched now. */
async function pullFrom(runner: WorkRunner, reading: Reading, due: Due): Promise<number> {
  const { id, stopping } = due
  const { gateways, series } = reading
  const found = await runner.read(async (work) => {
    const row = await work.find(resources.gateway, id)
    return row && { row, gateway: await gateways.connect(work, row), now: work.realMilliseconds }
  })
  if (!found) return 0
  const { row, gateway, now } = found
  if (now - reading.failedAt < RETRY || now - reading.cutAt < CUT_PAUSE) {
    await note(runner, due, row, { wait: PERIOD, problem: row.settlements_problem })
    return 0
  }
  const { count, isCut, problem } = await pulled(runner, { row, gateway, budget: series.begin(stopping) })
  // The lines read so far are stored; the rest stays due at the same time.
  if (stopping?.aborted) return count
  series.ended(isCut && problem !== null)
  reading.cuts = isCut ? reading.cuts + 1 : 0
  reading.cutAt = isCut ? now : 0
  const isEndless = reading.cuts >= MAX_CUTS
  const shown = isEndless ? `The list did not end within ${reading.cuts} runs` : problem
  reading.failedAt = shown === null ? 0 : now
  if (shown !== null) await note(runner, due, row, { wait: isEndless ? PERIOD : RETRY, problem: shown })
  else await note(runner, due, row, { wait: isCut ? SOON : PERIOD, problem: null })
  gateways.changed()
  return count
}

/** Makes the settlements of a gateway due again. `before` is its row as it was when their reading began. */
async function note(
  { write }: WorkRunner,
  { id, at }: Due,
  before: GatewayRow,
  { wait, problem }: { readonly wait: number; readonly problem: string | null },
): Promise<void> {
  await write(async (work) => {
    const again = datetimeOf(Math.max(at, work.milliseconds) + wait)
    const { settlements_due_at: due } = (await work.lock(resources.gateway, id)) ?? before
    // A notification came during the reading; its settlement may not have been listed yet. A retry is soon enough for it.
    const isSooner = wait === PERIOD && due !== null && due !== before.settlements_due_at && due < again
    await work.change(resources.gateway, id, {
      settlements_due_at: isSooner ? due : again,
      settlements_problem: problem,
    })
  })
}

interface Connected {
  readonly row: GatewayRow
  readonly gateway: RemoteGateway
  readonly budget: ReadBudget
}

async function pulled(runner: WorkRunner, connected: Connected): Promise<Pulled> {
  const { row, gateway, budget } = connected
  const { settlements } = limitedBy(budget, gateway)
  if (!settlements) return { count: 0, isCut: false, problem: null }
  const placed = await placeWaiting(runner, gateway)
  const { count, isCut, problem } = await readList(runner, connected, settlements)
  if (!isCut && problem === null) await findMissingLines(runner, row)
  return { count: placed + count, isCut, problem }
}

/** Stores page after page, and moves the cursor on after each. */
async function readList(
  runner: WorkRunner,
  { row, gateway, budget }: Connected,
  settlements: NonNullable<RemoteGateway['settlements']>,
): Promise<Pulled> {
  let count = 0
  let lines = 0
  const since = millisecondsOf(row.since ?? row.created_at)
  const cursors = new Set([row.settlements_cursor])
  for (let page = 0, cursor = row.settlements_cursor; page < MAX_PAGES && lines < MAX_LINES; page++) {
    const answer = await settlements(cursor, since).catch((error: unknown) => problemOf(error))
    const problem = await runner.read(async (work) => problemIn(work, answer, cursor, cursors))
    if (typeof answer === 'string' || problem !== undefined) {
      const isCut = budget.end !== undefined
      return { count, isCut, problem: isCut && page > 0 ? null : (problem ?? null) }
    }
    // A settlement without a date is not complete: it is read again later.
    const settled = answer.batches.filter(({ settledAt }) => settledAt !== null)
    count += await storePage(runner, gateway, { ...answer, batches: settled })
    lines += settled.reduce((sum, batch) => sum + batch.lines.length, 0)
    const isLast = settled.length < answer.batches.length || answer.cursor === cursor
    if (isLast) return { count, isCut: false, problem: null }
    cursor = answer.cursor
    cursors.add(cursor)
    const settlements_cursor = cursor
    await runner.write((work) => noteRead(work, row.id, { settlements_cursor }))
  }
  return { count, isCut: true, problem: null }
}

/** Stores a page; returns the number of new lines. */
async function storePage(
  runner: WorkRunner,
  gateway: RemoteGateway,
  { batches, failed = [] }: Settlements,
): Promise<number> {
  for (const payout of failed) await runner.write((work) => failPayout(work, gateway.name, payout))
  let count = 0
  for (const batch of batches) count += await storeSettlement(runner, gateway, batch)
  return count
}

/** Reason why a page could not be read, or must not be stored; undefined if there is none. */
function problemIn(
  work: Work,
  answer: Settlements | string,
  cursor: string | null,
  earlier: ReadonlySet<string | null>,
): string | undefined {
  if (typeof answer === 'string') return answer
  const { batches, cursor: next } = answer
  const isRepeated = next !== cursor && earlier.has(next)
  return isRepeated ? `The list does not advance: ${next} comes again` : oddityIn(batches, work)
}

function problemOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1_000)
}

/**
 * Searches again for the transactions of lines that had none, or a pending one. Returns the number of lines that are
 * matched now.
 */
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

/** Matches the lines that a resolved exception is about, because its resolution may explain them. */
export async function placeDecided(
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
    .where((eb) => eb.or([eb('gateway_id', '=', id), eb('line_id', '=', id), eb('parent_id', '=', id)]))
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
  if (!settlement) return false
  const placed = await placeLine(work, { settlement, gateway, accountOfRest: null, lines: [] }, id)
  if (!placed) return false
  if (placed.before.payout_id === null) await mirrorPayouts(work, settlementId)
  else await explainPaid(work, placed)
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

const firstDueAfter = prepared<{ name: string; after: string }, { due_at: string }>((db, param) =>
  db
    .selectFrom('admin_gateways')
    .select(DUE_AT.as('due_at'))
    .where('name', '=', param('name'))
    .where('deleted_at', 'is', null)
    .where(DUE_AT, '>', param('after'))
    .orderBy(DUE_AT)
    .limit(1),
)

const dueUntil = prepared<{ name: string; until: string }, { id: string }>((db, param) =>
  db
    .selectFrom('admin_gateways')
    .select('id')
    .where('name', '=', param('name'))
    .where('deleted_at', 'is', null)
    .where(DUE_AT, '<=', param('until')),
)
