import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import type { DueJob } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { DAY_MILLISECONDS } from '../../platform/calendar/date.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { currentServer } from '../mail-outbox/current-server.js'
import { queueMail } from '../mail-outbox/queue-mail.js'

/** Invoices per unit of work. */
const BATCH_SIZE = 100

/**
 * Reminds customers of invoices some days before they are due, once for each due date. Invoices that were made within
 * these days get no reminder, because their first mail is as recent.
 */
export const mailReminders: DueJob = {
  name: 'reminders',
  async next(work, after) {
    const ahead = await daysAhead(work)
    if (ahead === undefined) return undefined
    // Overdue invoices get no reminder.
    const from = datetimeOf(Math.max(after + ahead, work.milliseconds))
    const [first] = await work.tx.run(firstToRemind, { after: from, id: AFTER_ALL, until: LAST })
    return first && millisecondsOf(first.overdue_at) - ahead
  },
  async run({ write }, at, after) {
    let count = 0
    let last: ToRemind | undefined = { id: '', overdue_at: '' }
    while (last) {
      const from: ToRemind = last
      last = await write(async (work) => {
        const ahead = await daysAhead(work)
        if (ahead === undefined) return undefined
        const earliest = datetimeOf(Math.max(after + ahead, work.milliseconds))
        const found = await work.tx.run(toRemind, {
          after: from.overdue_at || earliest,
          id: from.id,
          until: datetimeOf(at + ahead),
        })
        for (const each of found) if (await remind(work, each, ahead)) count++
        return found.at(-1)
      })
    }
    return count
  },
}

/** Milliseconds from a reminder to the end of the due date; undefined while mail is off. */
async function daysAhead(work: Work): Promise<number | undefined> {
  const server = await currentServer(work)
  return server && ((server.reminder_days ?? 0) + 1) * DAY_MILLISECONDS
}

async function remind(work: Work, { id, overdue_at: end }: ToRemind, ahead: number): Promise<boolean> {
  const invoice = await work.find(resources.invoice, id)
  const moment = datetimeOf(millisecondsOf(end) - ahead)
  if (!invoice || invoice.due_date === null || invoice.created_at > moment) return false
  const { billing_contact__email: to, processing_id: processingId, due_date: occasion } = invoice
  return (await queueMail(work, { kind: 'reminder', to, aboutId: id, processingId, occasion })) !== undefined
}

/** Greater than every id. */
const AFTER_ALL = '~'
const LAST = '9999-12-31 23:59:59'

interface ToRemind {
  readonly id: string
  readonly overdue_at: string
}

interface Stretch {
  readonly after: string
  readonly id: string
  readonly until: string
}

/** Invoices with an amount due and no reminder, in the order in which they become overdue. */
const remindable = (limit: number) =>
  prepared<Stretch, ToRemind>((db, param) =>
    db
      .selectFrom('invoices as i')
      .select(['i.id', (eb) => eb.ref('i.overdue_at').$notNull().as('overdue_at')])
      .where('i.overdue_at', '<=', param('until'))
      .where(sql<boolean>`(i.overdue_at, i.id) > (${param('after')}, ${param('id')})`)
      .where('i.amount_due', '>', 0)
      .where('i.billing_contact__email', 'is not', null)
      .where('i.deleted_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('admin_mail_messages as m')
              .select('m.id')
              .where('m.key', '=', sql<string>`'reminder ' || i.id || ' ' || i.due_date`),
          ),
        ),
      )
      .orderBy('i.overdue_at')
      .orderBy('i.id')
      .limit(limit),
  )

const firstToRemind = remindable(1)
const toRemind = remindable(BATCH_SIZE)
