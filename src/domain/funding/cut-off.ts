import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import type { DueJob, WorkRunner } from '../../engine/jobs/job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { businessDayAt } from '../../platform/calendar/cut-off.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { cutOffOf } from '../payments/today.js'
import { type Due, nextDue, nextGroup } from './due-groups.js'
import { type Group, hasItems, lockFirst } from './read-items.js'
import type { Told } from './told.js'

/**
 * Ends business days: what was processed before is captured, so that it is not voided any more and goes into the next
 * deposit. Money: "funding_status".
 */
export function cutOff(told: Told = {}): DueJob {
  return {
    name: 'cut_off',
    async next(work, after) {
      const dueAt = await nextDue(work, 'cut_off', datetimeOf(after))
      return dueAt === undefined ? undefined : millisecondsOf(dueAt)
    },
    async run(runner, at) {
      let captured = 0
      for (;;) {
        const due = await runner.read((work) => nextGroup(work, 'cut_off', datetimeOf(at)))
        if (!due) return captured
        captured += await endDay(runner, due, told)
      }
    },
  }
}

/** Answers how many transactions were captured. */
async function endDay(runner: WorkRunner, due: Due, told: Told): Promise<number> {
  const group: Group = { awaiting: 'cut_off', ...due }
  let captured = 0
  while (await runner.read((work) => hasItems(work, group))) {
    const count = await runner.write((work) => captureLot(work, group))
    captured += count
    told.captured?.(count)
  }
  if (await runner.read((work) => isLeft(work, due))) await runner.write((work) => putOff(work, due))
  return captured
}

async function captureLot(work: Work, group: Group): Promise<number> {
  const ids = await lockFirst(work, group)
  for (const id of ids) await work.tx.change(capture, { id, now: work.now })
  return ids.length
}

/** Whether anything of a day is just being voided. */
async function isLeft(work: Work, due: Due): Promise<boolean> {
  const first = await nextGroup(work, 'cut_off', due.dueAt)
  return first?.dueAt === due.dueAt && first.processingId === due.processingId
}

/** What is just being voided waits for the next cut-off. */
async function putOff(work: Work, { dueAt, processingId }: Due): Promise<void> {
  const cutOffs = await cutOffOf(work, processingId)
  const next = businessDayAt(cutOffs, millisecondsOf(dueAt)).endsAt
  await work.tx.change(putOffStatement, { dueAt, processingId, next: datetimeOf(next) })
}

const capture = prepared<{ readonly id: string; readonly now: string }, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({
      awaiting: 'funding',
      funding_status: sql<
        TransactionRow['funding_status']
      >`case funding_status when 'pending' then 'captured' else funding_status end`,
      modified_at: param('now'),
    })
    .where('id', '=', param('id')),
)

const putOffStatement = prepared<Due & { readonly next: string }, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({ due_at: param('next') })
    .where('awaiting', '=', 'cut_off')
    .where('due_at', '=', param('dueAt'))
    .where('processing_id', '=', param('processingId')),
)
