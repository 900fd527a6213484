import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { addDays, daysBetween } from '../../platform/calendar/date.js'
import { dateOf } from '../../schema/datetime.js'
import type { Minor } from '../../schema/money.js'
import { accountsToBill } from './bill-month.js'
import { chargesOf } from './decide-deposit.js'
import { type DueGroup, nextDueGroup } from './due-groups.js'
import { type FundingAccount, fundingAccount } from './funding-account.js'
import { type AccountState, type OpenDeposit, type PlannedBatch, planAccount } from './plan-account.js'
import { countEntries, findOpenDeposit, findSettlementBatch } from './settlement-batch.js'
import {
  type Awaiting,
  addGroups,
  emptyGroup,
  type GroupTotals,
  readTotals,
  waitingForBill,
} from './waiting-items.js'

type Reader = Pick<WorkRunner, 'read'>

/**
 * Deposits, reversals and bills that a funding run would make for all that is due at a datetime, with exact amounts.
 * They are in the order of accounts, then of time. Writes no data. Reads are short, and memory use grows with the
 * number of accounts, not of payments.
 */
export async function fundingPlan(reader: Reader, until: string): Promise<PlannedBatch[]> {
  const planned: PlannedBatch[] = []
  for (const [processingId, days] of [...(await daysByAccount(reader, until))].sort(byId)) {
    const state = await stateOf(reader, processingId, days, until)
    planned.push(...planAccount(state, until))
  }
  return planned
}

/** Ends of business days (datetimes), each with the steps of settlement for which transactions wait. */
type DueDays = Map<string, Set<Awaiting>>

async function daysByAccount(reader: Reader, until: string): Promise<Map<string, DueDays>> {
  const accounts = new Map<string, DueDays>()
  const daysOf = (id: string) => {
    const days: DueDays = accounts.get(id) ?? new Map()
    accounts.set(id, days)
    return days
  }
  for (const awaiting of ['cut_off', 'funding', 'parts'] as const) {
    for await (const { processingId, dueAt } of groups(reader, awaiting, until)) {
      const days = daysOf(processingId)
      days.set(dueAt, new Set([...(days.get(dueAt) ?? []), awaiting]))
    }
  }
  for (const id of await reader.read((work) => accountsToBill(work, until))) daysOf(id)
  return accounts
}

async function* groups({ read }: Reader, awaiting: Awaiting, until: string): AsyncGenerator<DueGroup> {
  let last: DueGroup | undefined
  for (;;) {
    const due: DueGroup | undefined = await read((work) => nextDueGroup(work, awaiting, until, last))
    if (!due) return
    yield due
    last = due
  }
}

async function stateOf(
  reader: Reader,
  processingId: string,
  dueDays: DueDays,
  until: string,
): Promise<AccountState> {
  const days = new Map<string, GroupTotals>()
  for (const [dueAt, waiting] of dueDays)
    days.set(dueAt, await dayTotals(reader, processingId, dueAt, waiting))
  const account = await reader.read((work) => fundingAccount(work, processingId))
  const { feeOnly } = await readTotals(reader, waitingForBill(processingId))
  const { fee: waiting } = chargesOf('netted_daily', feeOnly)
  const first = [...dueDays.keys(), account.billDueAt ?? until].sort()[0] ?? until
  return await reader.read(async (work) => ({
    account,
    days,
    carried: waiting + (await chargedByOpenBill(work, account)),
    open: await openDepositOf(work, processingId, until),
    made: await madeSince(work, processingId, first, until),
  }))
}

async function dayTotals(
  reader: Reader,
  processingId: string,
  dueAt: string,
  waiting: ReadonlySet<Awaiting>,
): Promise<GroupTotals> {
  let totals = emptyGroup
  for (const awaiting of ['cut_off', 'funding'] as const)
    if (waiting.has(awaiting))
      totals = addGroups(totals, await readTotals(reader, { awaiting, processingId, dueAt }))
  return totals
}

/** The fees that an unfinished bill has charged already. */
async function chargedByOpenBill(work: Work, { id, billMonth }: FundingAccount): Promise<Minor> {
  const bill = billMonth === null ? undefined : await findSettlementBatch(work, id, billMonth)
  return bill?.status === 'processing' ? (bill.fee ?? 0) : 0
}

async function openDepositOf(
  work: Work,
  processingId: string,
  until: string,
): Promise<OpenDeposit | undefined> {
  const row = await findOpenDeposit(work, processingId, until)
  if (!row) return undefined
  return {
    period: row.period ?? '',
    dueAt: row.due_at ?? '',
    begun: {
      entries: await countEntries(work, row.id),
      due: row.entered ?? 0,
      charges: { fee: row.fee ?? 0, carried: row.accrued_fee ?? 0 },
    },
  }
}

/** The fees of existing deposits, by business day, from the beginning of the first month that the plan covers. */
async function madeSince(
  { tx }: Work,
  processingId: string,
  first: string,
  until: string,
): Promise<Map<string, Minor>> {
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
