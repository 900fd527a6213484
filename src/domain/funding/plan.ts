import type { Work } from '../../engine/core/write/work.js'
import { addDays, daysBetween } from '../../platform/calendar/date.js'
import { dateOf } from '../../schema/datetime.js'
import type { Minor } from '../../schema/money.js'
import { countEntries, findBatch, findOpen } from './batch.js'
import { accountsToBill, carriedBy } from './bill-month.js'
import { chargesOf } from './decide-deposit.js'
import { type Due, nextGroup } from './due-groups.js'
import { type FundingAccount, fundingAccount } from './funding-account.js'
import { type AccountState, type Open, type Planned, planAccount } from './plan-account.js'
import type { Awaiting } from './read-items.js'
import { emptyGroup, type GroupTotals, plusGroup, type Reading, readTotals } from './read-totals.js'

/**
 * What a run does that is asked for everything due until a datetime, to the cent, by account and then in the order of
 * time. Nothing is changed. Reads are short, and memory follows the number of accounts, not of payments.
 */
export async function planFunding(reading: Reading, until: string): Promise<Planned[]> {
  const planned: Planned[] = []
  for (const [processingId, dues] of [...(await duesByAccount(reading, until))].sort(byId)) {
    const state = await stateOf(reading, processingId, dues, until)
    planned.push(...planAccount(state, until))
  }
  return planned
}

type Dues = Map<string, Set<Awaiting>>

/** The days on which something is due, and what it waits for, by account. */
async function duesByAccount(reading: Reading, until: string): Promise<Map<string, Dues>> {
  const accounts = new Map<string, Dues>()
  const duesOf = (id: string) => {
    const dues: Dues = accounts.get(id) ?? new Map()
    accounts.set(id, dues)
    return dues
  }
  for (const awaiting of ['cut_off', 'funding', 'parts'] as const) {
    for await (const { processingId, dueAt } of groups(reading, awaiting, until)) {
      const dues = duesOf(processingId)
      dues.set(dueAt, new Set([...(dues.get(dueAt) ?? []), awaiting]))
    }
  }
  for (const id of await reading.read((work) => accountsToBill(work, until))) duesOf(id)
  return accounts
}

async function* groups({ read }: Reading, awaiting: Awaiting, until: string): AsyncGenerator<Due> {
  let last: Due | undefined
  for (;;) {
    const due: Due | undefined = await read((work) => nextGroup(work, awaiting, until, last))
    if (!due) return
    yield due
    last = due
  }
}

async function stateOf(
  reading: Reading,
  processingId: string,
  dues: Dues,
  until: string,
): Promise<AccountState> {
  const days = new Map<string, GroupTotals>()
  for (const [dueAt, waiting] of dues) days.set(dueAt, await dayTotals(reading, processingId, dueAt, waiting))
  const account = await reading.read((work) => fundingAccount(work, processingId))
  const { lone } = await readTotals(reading, carriedBy(processingId))
  const { fee: waiting } = chargesOf('netted_daily', lone)
  const first = [...dues.keys(), account.billDueAt ?? until].sort()[0] ?? until
  return await reading.read(async (work) => ({
    account,
    days,
    carried: waiting + (await inOpenBill(work, account)),
    open: await openOf(work, processingId, until),
    made: await madeSince(work, processingId, first, until),
  }))
}

async function dayTotals(
  reading: Reading,
  processingId: string,
  dueAt: string,
  waiting: ReadonlySet<Awaiting>,
): Promise<GroupTotals> {
  let totals = emptyGroup
  for (const awaiting of ['cut_off', 'funding'] as const)
    if (waiting.has(awaiting))
      totals = plusGroup(totals, await readTotals(reading, { awaiting, processingId, dueAt }))
  return totals
}

/** What a bill that was begun has charged already. */
async function inOpenBill(work: Work, { id, billMonth }: FundingAccount): Promise<Minor> {
  const bill = billMonth === null ? undefined : await findBatch(work, id, billMonth)
  return bill?.status === 'processing' ? (bill.fee ?? 0) : 0
}

async function openOf(work: Work, processingId: string, until: string): Promise<Open | undefined> {
  const row = await findOpen(work, processingId, until)
  if (!row) return undefined
  const { period, due_at: dueAt, entered, fee, accrued_fee: carried } = row
  return {
    period: period ?? '',
    dueAt: dueAt ?? '',
    begun: {
      entries: await countEntries(work, row.id),
      entered: entered ?? 0,
      charges: { fee: fee ?? 0, carried: carried ?? 0 },
    },
  }
}

/** Deposits of the days that a run may look at, from the beginning of the month of the first. */
async function madeSince(
  { tx }: Work,
  processingId: string,
  first: string,
  until: string,
): Promise<Map<string, number>> {
  const from = `${addDays(dateOf(first), -2).slice(0, 7)}-01`
  const days = Array.from({ length: daysBetween(from, dateOf(until)) + 2 }, (_, n) => addDays(from, n))
  const rows = await tx.db
    .selectFrom('transactions')
    .select(['period', 'fee'])
    .where('period', 'in', days)
    .where('processing_id', '=', processingId)
    .where('status', '=', 'processed')
    .execute()
  return new Map(rows.map(({ period, fee }) => [period ?? '', fee ?? 0]))
}

function byId([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
