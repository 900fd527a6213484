import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import type { EventRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { idAlike } from '../../schema/id-time.js'
import { currentServer } from '../mail-outbox/current-server.js'
import { mailKey, orgOf, queueInvoiceMail, queueMail } from '../mail-outbox/queue-mail.js'
import { eventsAfter } from '../webhooks/read-events.js'
import { mailProgress, moveProgress } from './mail-progress.js'
import { disputeOccasion } from './messages/dispute-mail.js'

/** Maximum number of events that are read together. */
const BATCH_SIZE = 200

/** Events after which there is a receipt. */
const RECEIPTS: ReadonlySet<string> = new Set(['processed', 'refund', 'credit'])

/**
 * Queues the mail for events since the last run. Payments therefore never wait for mail. Several processes may run
 * this: each message has a unique key, so none is queued twice.
 */
export async function queueFromEvents({ read, write }: WorkRunner, stopping: AbortSignal): Promise<void> {
  let isMore = true
  while (isMore && !stopping.aborted) {
    const found = await read(async (work) => {
      const progress = (await currentServer(work)) && (await mailProgress(work))
      if (!progress) return undefined
      const { rows, next } = await eventsAfter(work.tx, { after: progress.events_after, limit: BATCH_SIZE })
      const events = await withoutKnown(work, rows.filter(isMailed))
      return { events, next, isFull: rows.length === BATCH_SIZE, isMoved: next !== progress.events_after }
    })
    if (!found) return
    const { events, next, isFull, isMoved } = found
    if (events.length > 0 || (isFull && isMoved))
      await write(async (work) => {
        for (const event of events) await queueFor(work, event)
        await moveProgress(work, { events_after: next })
      })
    isMore = isFull && isMoved
  }
}

function isMailed({ trigger, value }: EventRow): boolean {
  if (trigger === 'dispute' || trigger === 'dispute_due') return disputeOccasion(trigger, value) !== undefined
  return trigger === 'decline' ? value === 'declined' : RECEIPTS.has(trigger) && value === 'processed'
}

/** Omits events whose receipt was mailed before, because some events are read more than once. */
async function withoutKnown({ tx }: Work, events: readonly EventRow[]): Promise<readonly EventRow[]> {
  if (events.length === 0) return []
  const keys = events.map((event) => mailKey({ kind: 'receipt', aboutId: receiptIdOf(event) }))
  const rows = await tx.db.selectFrom('admin_mail_messages').select('key').where('key', 'in', keys).execute()
  const known = new Set(rows.map(({ key }) => key))
  return events.filter((_, index) => !known.has(keys[index] ?? ''))
}

async function queueFor(work: Work, event: EventRow): Promise<void> {
  if (event.trigger === 'dispute' || event.trigger === 'dispute_due') await queueForDispute(work, event)
  else if (event.trigger === 'decline') await queueForDecline(work, event)
  else await queueForReceipt(work, event)
}

function receiptIdOf({ object_id: id }: EventRow): string {
  return idAlike(resources.receipt.prefix, id)
}

async function queueForReceipt(work: Work, event: EventRow): Promise<void> {
  const receipt = await work.find(resources.receipt, receiptIdOf(event))
  if (receipt)
    await queueMail(work, {
      kind: 'receipt',
      to: receipt.email,
      aboutId: receipt.id,
      processingId: event.processing_id,
    })
}

/**
 * Queues mail about a dispute to the merchant, at the address for answers to mail: once for each stage and deadline.
 */
async function queueForDispute(
  work: Work,
  { trigger, object_id: id, value, processing_id: processingId }: EventRow,
): Promise<void> {
  const row = await work.find(resources.dispute, id)
  const account = processingId ? await work.find(resources.processing_account, processingId) : undefined
  const to = (await orgOf(work, account))?.mail__reply_to ?? (await currentServer(work))?.reply_to ?? null
  const named = disputeOccasion(trigger, value)
  const occasion = named === 'due' ? `due ${row?.due_by}` : named
  if (row && occasion !== undefined)
    await queueMail(work, { kind: 'dispute', to, aboutId: id, processingId, occasion })
}

/**
 * Queues mail to the customer of an invoice whose automatic payment was declined: one message, however often the
 * payment is tried.
 */
async function queueForDecline(work: Work, { object_id: id }: EventRow): Promise<void> {
  const attempt = await work.tx.db
    .selectFrom('collections')
    .select('invoice_id')
    .where('transaction_id', '=', id)
    .executeTakeFirst()
  const invoice = attempt && (await work.find(resources.invoice, attempt.invoice_id))
  if (invoice) await queueInvoiceMail(work, 'failed_payment', invoice)
}
