import type { DueJob } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { DEADLINE_AHEAD, remindOf } from './note-dispute.js'

const BATCH_SIZE = 100

/** Job that fires `dispute_due` three days before evidence for a dispute is due, once for each deadline. */
export const remindDisputes: DueJob = {
  name: 'remind_disputes',
  async next({ tx }, after) {
    const [first] = await tx.run(firstDue, { after: datetimeOf(after + DEADLINE_AHEAD) })
    return first && millisecondsOf(first.due_by) - DEADLINE_AHEAD
  },
  async run(runner, at) {
    const until = datetimeOf(at + DEADLINE_AHEAD)
    let count = 0
    let last: string | undefined = ''
    while (last !== undefined) {
      const after: string = last
      const due = await runner.read(({ tx }) => tx.run(dueUntil, { until, after }))
      for (const { id } of due) if (await runner.write((work) => remindOf(work, id))) count++
      last = due.at(-1)?.id
    }
    return count
  },
}

const firstDue = prepared<{ after: string }, { due_by: string }>((db, param) =>
  db
    .selectFrom('disputes')
    .select((eb) => eb.ref('due_by').$notNull().as('due_by'))
    .where('stage', 'in', ['inquiry', 'needs_response'])
    .where('due_by', '>', param('after'))
    .where('answered_at', 'is', null)
    .orderBy('due_by')
    .limit(1),
)

/** Disputes with a deadline until a datetime, for which no event was fired yet. */
const dueUntil = prepared<{ until: string; after: string }, { id: string }>((db, param) =>
  db
    .selectFrom('disputes')
    .select('id')
    .where('stage', 'in', ['inquiry', 'needs_response'])
    .where('due_by', '<=', param('until'))
    .where('answered_at', 'is', null)
    .where(({ eb, or, ref }) => or([eb('reminded_for', 'is', null), eb('reminded_for', '!=', ref('due_by'))]))
    .where('id', '>', param('after'))
    .orderBy('id')
    .limit(BATCH_SIZE),
)
