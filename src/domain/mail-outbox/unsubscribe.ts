import type { AddressParts } from '../../engine/core/read/addresses.js'
import type { Work } from '../../engine/core/write/work.js'
import type { MailMessageRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'

/** Id of the record that an address declines mail of a processing account. */
export function refusalId(processingId: string, email: string): string {
  return `${processingId} ${email.toLowerCase()}`
}

/** A message whose reader may unsubscribe at a signed address. */
export interface Declinable {
  readonly message: MailMessageRow
  readonly merchant: string
}

/** The message of an unsubscribe address; undefined if the address is not genuine. */
export async function openUnsubscribe(
  work: Work,
  requested: Omit<AddressParts, 'page'>,
): Promise<Declinable | undefined> {
  if (!work.addresses.isGood({ ...requested, page: 'unsubscribe' }, work.now)) return undefined
  const message = await work.find(resources.mail_message, requested.id)
  if (!message?.processing_id || message.email === null) return undefined
  const account = await work.find(resources.processing_account, message.processing_id)
  return { message, merchant: account?.name ?? message.processing_id }
}

/** Stops reminders of a processing account to an address. May be repeated. */
export async function unsubscribe(work: Work, { message }: Declinable): Promise<void> {
  const { email, processing_id } = message
  if (email === null || processing_id === null) return
  await work.tx.db
    .insertInto('mail_refusals')
    .values({ id: refusalId(processing_id, email), email, processing_id, created_at: work.now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
