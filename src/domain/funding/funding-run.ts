import type { DueJob, WorkRunner } from '../../engine/jobs/job.js'
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
    async run(runner, at) {
      const until = datetimeOf(at - delay)
      let count = 0
      for (;;) {
        const due = await runner.read(
          async (work) =>
            (await nextGroup(work, 'parts', until)) ?? (await nextGroup(work, 'funding', until)),
        )
        if (!due) return count
        count += await fund(runner, due, told)
      }
    },
  }
}

/** Answers how many transactions went into the deposit. */
async function fund(runner: WorkRunner, due: Due, told: Told): Promise<number> {
  const account = await runner.read((work) => fundingAccount(work, due.processingId))
  const batch = await openOrBegin(runner, account, due)
  const next = datetimeOf(businessDayAt(account.cutOff, millisecondsOf(due.dueAt)).endsAt)
  if (!batch) return await putOff(runner, account, due, next)
  const group: Group = { awaiting: 'funding', ...due }
  const count = await addParts(runner, { batchId: batch.id, group, billing: account.billing }, told)
  const made = await runner.write((work) => finishDeposit(work, batch.id, account, next))
  if (made) told.made?.(made)
  return count
}

/** Nothing when nothing comes out today, or the day has its deposit: everything waits for the next run then. */
async function openOrBegin(
  runner: WorkRunner,
  account: FundingAccount,
  due: Due,
): Promise<Batch | undefined> {
  const open = await runner.read((work) => findOpen(work, account.id, due.dueAt))
  if (open) return open
  const { date: period } = lastCutOff(account.cutOff, millisecondsOf(due.dueAt))
  if (await runner.read((work) => findBatch(work, account.id, period))) return undefined
  const group = await readTotals(runner, { awaiting: 'funding', ...due })
  const { outcome } = expectedDay({ ...account, group, begun: notBegun })
  if (outcome.kind === 'waits') return undefined
  const { kind: type, amount } = outcome
  const beginning = { account, period, type, amount, dueAt: due.dueAt }
  const batch = await runner.write((work) => beginBatch(work, beginning))
  return batch.status === 'processing' ? batch : undefined
}

export interface Adding {
  readonly batchId: string
  readonly group: Group
  readonly billing: Billing
}

/** Puts all of a group into a batch; answers how many it was. */
export async function addParts(runner: WorkRunner, adding: Adding, told: Told): Promise<number> {
  let count = 0
  let after = ''
  while (await runner.read((work) => hasItems(work, adding.group, after))) {
    const taken = await runner.write((work) => addPart(work, { ...adding, after }))
    if (!taken) return count
    after = taken.last
    count += taken.count
    told.added?.(taken.count)
  }
  return count
}

async function putOff(runner: WorkRunner, account: FundingAccount, due: Due, next: string): Promise<number> {
  const { billing } = account
  const group: Group = { awaiting: 'funding', ...due }
  while (await runner.read((work) => hasItems(work, group)))
    await runner.write((work) => putOffPart(work, { group, billing, next }))
  return 0
}
