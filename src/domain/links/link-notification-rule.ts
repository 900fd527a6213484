import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { LinkNotificationRow, PaymentLinkRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { InputFor } from '../../schema/types.js'
import { currentServer } from '../mail-outbox/current-server.js'
import { queueMail } from '../mail-outbox/queue-mail.js'
import { notPayable } from '../payments/parties/pay-through-link.js'

type NotificationInput = InputFor<typeof resources.link_notification>

/** Maximum number of notifications of a link, so that nobody can mail strangers without end. */
const MAX_NOTIFICATIONS = 100

/** Sends a payment link to somebody: each notification is one request, and so at most one mail. */
export const linkNotificationRule: Rule<typeof resources.link_notification> = {
  async create(work, input) {
    refuseReceivers(input)
    const link = await work.find(resources.payment_link, input.payment_link_id ?? '')
    if (!link) throw invalidAttributes({ payment_link_id: 'Not found' })
    const made = await notificationsOf(work, link)
    const problem = problemOf(work, link, made)
    if (problem) throw invalidAttributes({ payment_link_id: problem })
    const row = await work.createPlainly(resources.link_notification, input)
    const state = await begin(
      work,
      link,
      row,
      made.some((each) => isWaitingFor(each, row)),
    )
    return await work.change(resources.link_notification, row.id, state)
  },
}

/** Mails a link to its customer. Throws `InvalidAttributes` at `email_customer`. */
export async function emailCustomer(work: Work, link: PaymentLinkRow): Promise<void> {
  const customer = link.customer_id ? await work.find(resources.customer, link.customer_id) : undefined
  const problem = customer?.email
    ? problemOf(work, link, await notificationsOf(work, link))
    : 'Needs a customer with an email address'
  if (problem) throw invalidAttributes({ email_customer: problem })
  await work.create(resources.link_notification, { payment_link_id: link.id, email: customer?.email })
}

/**
 * Notifications of a link. If two requests run at the same time, the second one waits and finds the notification of
 * the first.
 */
async function notificationsOf(work: Work, { id }: PaymentLinkRow): Promise<readonly LinkNotificationRow[]> {
  await waitForName(work.tx, `notifications of ${id}`)
  return await work.findBy(resources.link_notification, 'payment_link_id', id)
}

/** Reason why a link cannot be sent; undefined if it can. */
function problemOf(
  work: Work,
  link: PaymentLinkRow,
  made: readonly LinkNotificationRow[],
): string | undefined {
  return (
    notPayable(link, work.now) ??
    (made.length >= MAX_NOTIFICATIONS
      ? `Has ${MAX_NOTIFICATIONS} notifications, the most of a link`
      : undefined)
  )
}

/** Deletes the notifications of a link that is deleted; mail that waits is dropped. */
export async function removeNotificationsOf(work: Work, id: string): Promise<void> {
  for (const row of await work.findBy(resources.link_notification, 'payment_link_id', id))
    await work.deletePlainly(resources.link_notification, row)
}

function refuseReceivers({ email, phone_number: phone }: NotificationInput): void {
  if (email && phone) throw invalidAttributes({ phone_number: 'Must be in a notification of its own' })
  if (!email && !phone)
    throw invalidAttributes({ email: 'Required, or phone_number', phone_number: 'Required, or email' })
}

/** Whether the mail of a notification is still queued, for the same address as another notification. */
function isWaitingFor({ status, email }: LinkNotificationRow, { email: to }: LinkNotificationRow): boolean {
  return status === 'queued' && email?.toLowerCase() === to?.toLowerCase()
}

/** First state of a notification: its mail is queued, or the reason why there is none. */
async function begin(
  work: Work,
  { processing_id: processingId }: PaymentLinkRow,
  { id: aboutId, email: to }: LinkNotificationRow,
  isWaiting: boolean,
): Promise<Pick<LinkNotificationRow, 'status' | 'problem'>> {
  if (!to) return { status: 'not_sent', problem: 'Text messages are not sent' }
  if (isWaiting) return { status: 'dropped', problem: 'The same mail waits to be sent there already' }
  if (!(await currentServer(work))) return { status: 'not_sent', problem: 'Mail is off' }
  const message = await queueMail(work, { kind: 'payment_link', to, aboutId, processingId })
  return message
    ? { status: 'queued', problem: null }
    : { status: 'not_sent', problem: 'The organization has switched this kind of mail off' }
}
