import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import type { DueJob, WorkRunner } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { businessDayAt } from '../../platform/calendar/cut-off.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { cutOffOf } from '../accounts/org-rule.js'
import { payoutsOf } from '../ledger/payouts.js'
import { type DueGroup, nextDueAt, nextDueGroup } from './due-groups.js'
import type { FundingListener } from './funding-summary.js'
import { hasItems, lockItems, type WaitingGroup } from './waiting-items.js'

/**
 * Job that ends business days: payments processed by then are captured. A captured payment can no longer be voided,
 * and the next deposit pays it out. See docs/money.md, "Cut-off and deposits".
 */
export function cutOffJob(listener: FundingListener = {}): DueJob {
  return {
    name: 'cut_off',
    async next(work, after) {
      const dueAt = await nextDueAt(work, 'cut_off', datetimeOf(after))
      return dueAt === undefined ? undefined : millisecondsOf(dueAt)
    },
    async run(runner, at) {
      let captured = 0
      for (;;) {
        const due = await runner.read((work) => nextDueGroup(work, 'cut_off', datetimeOf(at)))
        if (!due) return captured
        captured += await endDay(runner, due, listener)
      }
    },
  }
}

/** Ends a business day of an account. Returns the number of captured transactions. */
async function endDay(runner: WorkRunner, due: DueGroup, listener: FundingListener): Promise<number> {
  const group: WaitingGroup = { awaiting: 'cut_off', ...due }
  let captured = 0
  while (await runner.read((work) => hasItems(work, group))) {
    const count = await runner.write((work) => captureItems(work, group))
    captured += count
    listener.onCaptured?.(count)
  }
  if (await runner.read((work) => isLeft(work, due))) await runner.write((work) => postpone(work, due))
  return captured
}

/**
 * Captures the first transactions of a group. If the payouts of their account are simulated, they then wait for the
 * funding run.
 */
async function captureItems(work: Work, group: WaitingGroup): Promise<number> {
  const ids = await lockItems(work, group)
  const isFunded = (await payoutsOf(work, { processing_id: group.processingId })) === 'simulated'
  const statement = isFunded ? captureForFunding : capture
  for (const id of ids) await work.tx.change(statement, { id, now: work.now })
  return ids.length
}

/** Whether a transaction of the day was not captured because it is being voided. */
async function isLeft(work: Work, due: DueGroup): Promise<boolean> {
  const first = await nextDueGroup(work, 'cut_off', due.dueAt)
  return first?.dueAt === due.dueAt && first.processingId === due.processingId
}

/** Lets the transactions of a day that are being voided wait for the next cut-off. */
async function postpone(work: Work, { dueAt, processingId }: DueGroup): Promise<void> {
  const cutOff = await cutOffOf(work, processingId)
  const next = businessDayAt(cutOff, millisecondsOf(dueAt)).endsAt
  await work.tx.change(postponeStatement, { dueAt, processingId, next: datetimeOf(next) })
}

const captured = (changes: Partial<TransactionRow>) =>
  prepared<{ readonly id: string; readonly now: string }, never>((db, param) =>
    db
      .updateTable('transactions')
      .set({
        ...changes,
        funding_status: sql<
          TransactionRow['funding_status']
        >`case funding_status when 'pending' then 'captured' else funding_status end`,
        modified_at: param('now'),
      })
      .where('id', '=', param('id')),
  )

const captureForFunding = captured({ awaiting: 'funding' })
const capture = captured({ awaiting: null, due_at: null })

const postponeStatement = prepared<DueGroup & { readonly next: string }, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({ due_at: param('next') })
    .where('awaiting', '=', 'cut_off')
    .where('due_at', '=', param('dueAt'))
    .where('processing_id', '=', param('processingId')),
)
