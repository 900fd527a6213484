import type { Work } from '../../../engine/core/write/work.js'
import type { MailMessageRow, MailServerRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import type { DisputeOccasion } from '../texts/mail-texts.js'
import { type Composed, dropped, mailFacts, written } from './composed.js'
import { mailContext } from './mail-context.js'

/** Occasions for mail to the merchant, each with the stages of the dispute in which the message is still true. */
const STILL_HOLDS: Readonly<Record<DisputeOccasion, readonly string[]>> = {
  inquiry: ['inquiry'],
  needs_response: ['needs_response'],
  due: ['inquiry', 'needs_response'],
  won: ['won'],
  lost: ['lost'],
}

/** The occasion for mail after an event of a dispute; undefined if the event is not mailed. */
export function disputeOccasion(trigger: string, stage: string | null): DisputeOccasion | undefined {
  if (trigger === 'dispute_due') return 'due'
  return stage === 'inquiry' || stage === 'needs_response' || stage === 'won' || stage === 'lost'
    ? stage
    : undefined
}

/** Message to the merchant about a dispute that began, must be answered soon, or was decided. */
export async function disputeMail(
  work: Work,
  message: MailMessageRow,
  server: MailServerRow,
): Promise<Composed> {
  const row = await work.find(resources.dispute, message.about_id ?? '')
  const payment = await work.find(resources.transaction, row?.transaction_id ?? '')
  const occasion = occasionIn(message)
  if (!row || !payment || occasion === undefined) return dropped('The dispute is gone')
  const isDueStill = occasion !== 'due' || row.answered_at === null
  if (!isDueStill || !STILL_HOLDS[occasion].includes(row.stage ?? ''))
    return dropped('The dispute has come to another stage')
  const { texts, merchant, money, day, frame } = await mailContext(work, message, server)
  const { labels, dispute } = texts
  const amount = money(row.amount ?? 0)
  return written({
    ...frame,
    subject: dispute.subject[occasion](amount, merchant),
    paragraphs: [dispute.text[occasion](amount)],
    facts: mailFacts([
      [labels.amount, amount],
      [labels.reference, payment.ref_number],
      [labels.date, day(payment.created_at)],
      [labels.due, row.due_by && ANSWERED.has(occasion) && day(row.due_by)],
      [dispute.label, row.id],
    ]),
  })
}

/** Occasions after which the merchant answers. */
const ANSWERED: ReadonlySet<DisputeOccasion> = new Set(['inquiry', 'needs_response', 'due'])

/** The occasion in a message's key. */
function occasionIn({ key }: MailMessageRow): DisputeOccasion | undefined {
  const word = (key ?? '').split(' ')[2]
  return word === 'due' ? 'due' : disputeOccasion('dispute', word ?? null)
}
