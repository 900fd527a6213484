import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import type { DueJob } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'
import { addMonths } from '../../platform/calendar/date.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { currentServer } from '../mail-outbox/current-server.js'
import { queueMail } from '../mail-outbox/queue-mail.js'
import { mailProgress, moveProgress } from './mail-progress.js'

/** Cards per unit of work. */
const BATCH_SIZE = 100

/**
 * Mails customers with a billing schedule, at the beginning of a month (UTC), that their default card expires at the
 * end of the next month. The last completed month is stored, so that payment methods are read once a month.
 */
export const mailExpiringCards: DueJob = {
  name: 'expiring_cards',
  async next(work, after) {
    const progress = (await currentServer(work)) && (await mailProgress(work))
    if (!progress?.cards_of) return undefined
    const moment = millisecondsOf(`${addMonths(`${progress.cards_of}-01`, 1)} 00:00:00`)
    return moment > after ? moment : undefined
  },
  async run({ write }, at) {
    const month = datetimeOf(at).slice(0, 7)
    const expiry = expiryOf(addMonths(`${month}-01`, 1))
    let count = 0
    let last: string | null | undefined = ''
    while (last !== undefined && last !== null) {
      const after: string = last
      last = await write(async (work) => {
        const found = await work.tx.run(expiring, { expiry, after })
        for (const method of found) if (await announce(work, method)) count++
        if (found.length === 0) await moveProgress(work, { cards_of: month })
        return found.at(-1)?.account_id
      })
    }
    return count
  },
}

/** The expiry (`MM/YY`) of cards that are good through the month of a date. */
function expiryOf(date: string): string {
  return `${date.slice(5, 7)}/${date.slice(2, 4)}`
}

type Expiring = Pick<PaymentMethodRow, 'id' | 'account_id' | 'card__expiry'>

async function announce(work: Work, { id, account_id: customerId, card__expiry: occasion }: Expiring) {
  if (customerId === null || occasion === null) return false
  const customer = await work.find(resources.customer, customerId)
  const schedules = await work.findBy(resources.billing_schedule, 'customer_id', customerId)
  const schedule = schedules.find(({ bills_at: next }) => next !== null)
  if (!customer || !schedule) return false
  const processingId = schedule.processing_id ?? customer.primary_processing_id
  const mail = { kind: 'expiring_card', to: customer.email, aboutId: id, processingId, occasion } as const
  return (await queueMail(work, mail)) !== undefined
}

/** Default cards with an expiry, in the order of their customers. */
const expiring = prepared<{ expiry: string; after: string }, Expiring>((db, param) =>
  db
    .selectFrom('payment_methods')
    .select(['id', 'account_id', 'card__expiry'])
    .where('default_payment_method', '=', sql.lit(1))
    .where('deleted_at', 'is', null)
    .where('card__expiry', '=', param('expiry'))
    .where('account_id', '>', param('after'))
    .orderBy('account_id')
    .limit(BATCH_SIZE),
)
