import type { Doing, DueJob } from '../../engine/jobs/job.js'
import { businessDayAt, lastCutOff } from '../../platform/calendar/cut-off.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { addPart } from './add-part.js'
import { type Batch, beginBatch, findBatch, findOpen } from './batch.js'
import type { Billing } from './decide-deposit.js'
import { type Due, nextDue, nextGroup } from './due-groups.js'
import { expectedDay, notBegun } from './expected.js'
import { finishDeposit } from './finish-deposit.js'
import { type FundingAccount, fundingAccount } from './funding-account.js'
import { putOffPart } from './put-off.js'
import { type Group, hasItems } from './read-items.js'
import { readTotals } from './read-totals.js'
import type { Told } from './told.js'

/**
 * Pays what was captured: one deposit (or reversal) a processing account and business day, put together in short units
 * of work, so that whoever begins again after any of them finishes the same one. It comes `delay` milliseconds after
 * the cut-off. Money: "Ledger, deposits, journal".
 */
export function funding(delay: number, told: Told = {}): DueJob {
  return {
    name: 'funding',
    async next(work, after) {
      const from = datetimeOf(after - delay)
      const moments = [await nextDue(work, 'parts', from), await nextDue(work, 'funding', from)]
      const [first] = moments.filter((moment) => moment !== undefined).sort()
      return first === undefined ? undefined : millisecondsOf(first) + delay
    },
    async run(doing, at) {
      const until = datetimeOf(at - delay)
      let count = 0
      for (;;) {
        const due = await doing.read(
          async (work) =>
            (await nextGroup(work, 'parts', until)) ?? (await nextGroup(work, 'funding', until)),
        )
        if (!due) return count
        count += await fund(doing, due, told)
      }
    },
  }
}

/** Answers how many transactions went into the deposit. */
async function fund(doing: Doing, due: Due, told: Told): Promise<number> {
  const account = await doing.read((work) => fundingAccount(work, due.processingId))
  const batch = await openOrBegin(doing, account, due)
  const next = datetimeOf(businessDayAt(account.cutOff, millisecondsOf(due.dueAt)).endsAt)
  if (!batch) return await putOff(doing, account, due, next)
  const group: Group = { awaiting: 'funding', ...due }
  const count = await addParts(doing, { batchId: batch.id, group, billing: account.billing }, told)
  const made = await doing.write((work) => finishDeposit(work, batch.id, account, next))
  if (made) told.made?.(made)
  return count
}

/** Nothing when nothing comes out today, or the day has its deposit: everything waits for the next run then. */
async function openOrBegin(doing: Doing, account: FundingAccount, due: Due): Promise<Batch | undefined> {
  const open = await doing.read((work) => findOpen(work, account.id, due.dueAt))
  if (open) return open
  const { date: period } = lastCutOff(account.cutOff, millisecondsOf(due.dueAt))
  if (await doing.read((work) => findBatch(work, account.id, period))) return undefined
  const group = await readTotals(doing, { awaiting: 'funding', ...due })
  const { outcome } = expectedDay({ ...account, group, begun: notBegun })
  if (outcome.kind === 'waits') return undefined
  const { kind: type, amount } = outcome
  const beginning = { account, period, type, amount, dueAt: due.dueAt }
  const batch = await doing.write((work) => beginBatch(work, beginning))
  return batch.status === 'processing' ? batch : undefined
}

export interface Adding {
  readonly batchId: string
  readonly group: Group
  readonly billing: Billing
}

/** Puts all of a group into a batch; answers how many it was. */
export async function addParts(doing: Doing, adding: Adding, told: Told): Promise<number> {
  let count = 0
  let after = ''
  while (await doing.read((work) => hasItems(work, adding.group, after))) {
    const taken = await doing.write((work) => addPart(work, { ...adding, after }))
    if (!taken) return count
    after = taken.last
    count += taken.count
    told.added?.(taken.count)
  }
  return count
}

async function putOff(doing: Doing, account: FundingAccount, due: Due, next: string): Promise<number> {
  const { billing } = account
  const group: Group = { awaiting: 'funding', ...due }
  while (await doing.read((work) => hasItems(work, group)))
    await doing.write((work) => putOffPart(work, { group, billing, next }))
  return 0
}
