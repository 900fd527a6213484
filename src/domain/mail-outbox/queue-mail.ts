import type { Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { AccountRow, InvoiceRow, MailMessageRow, OrgRow } from '../../engine/store/database/tables.js'
import type { Vault } from '../../engine/store/vault/vault.js'
import type { MailKind } from '../../resources/mail-message.js'
import { resources } from '../../resources/resource-table.js'
import { currentServer } from './current-server.js'
import { refusalId } from './unsubscribe.js'

/** A message to be queued. */
export interface NewMail {
  readonly kind: MailKind | 'test'
  readonly to: string | null
  /** Id of the object that the message is about. */
  readonly aboutId: string
  readonly processingId: string | null
  /** Text that tells apart several messages of the same kind about the same object, such as the stage of a dispute. */
  readonly occasion?: string
}

/** Milliseconds after which another process may send a message whose attempt was not recorded. */
export const MAIL_LEASE = 300_000

/** Kinds of mail that readers may decline, because they are not part of a payment or a bill. */
const DECLINABLE: ReadonlySet<NewMail['kind']> = new Set(['reminder', 'expiring_card'])

/**
 * Queues a message, with the system's permissions. Returns undefined, and queues no message, if the address is missing
 * or the same occasion has a message already. The same applies if the organization has switched the kind off, or the
 * reader has declined it. The caller must check that mail is on.
 */
export async function queueMail(work: Work, mail: NewMail): Promise<MailMessageRow | undefined> {
  const { kind, to, aboutId, processingId } = mail
  if (!to || !(await work.asSystem(() => isWelcome(work, mail)))) return undefined
  const key = mailKey(mail)
  await waitForName(work.tx, `mail ${key}`)
  const [known] = await work.tx.run(byKey, { key })
  if (known) return undefined
  const row: MailMessageRow = {
    ...work.blank(resources.mail_message),
    kind,
    status: 'queued',
    email: to,
    about_id: aboutId,
    processing_id: processingId,
    attempts: 0,
    key,
    // The caller sends a test message itself; it is due later only if the caller fails.
    due_at: work.realMilliseconds + (kind === 'test' ? MAIL_LEASE : 0),
  }
  const proven = { ...row, proof: mailProof(work.vault, row) }
  await work.asSystem(() => work.insert(resources.mail_message, proven))
  return proven
}

/** Unique key of a message: its kind, object and occasion. */
export function mailKey({ kind, aboutId, occasion }: Pick<NewMail, 'kind' | 'aboutId' | 'occasion'>): string {
  return [kind, aboutId, ...(occasion === undefined ? [] : [occasion])].join(' ')
}

/**
 * Keyed hash of a message's contents and recipient, compared before the message is sent. A row written directly to the
 * database is therefore never sent.
 */
export function mailProof(vault: Vault, message: ProvenMail): string {
  const { id, kind, email, about_id, processing_id, content, key } = message
  return vault.hash(JSON.stringify([id, kind, email, about_id, processing_id, content, key]), 'mail')
}

/** Columns of a message that its proof covers. */
type ProvenMail = Pick<
  MailMessageRow,
  'id' | 'kind' | 'email' | 'about_id' | 'processing_id' | 'content' | 'key'
>

async function isWelcome(work: Work, { kind, to, processingId }: NewMail): Promise<boolean> {
  if (processingId === null || kind === 'test') return true
  const account = await work.find(resources.processing_account, processingId)
  const org = await orgOf(work, account)
  if (org?.[`mail__${kind}`] === 0) return false
  if (!DECLINABLE.has(kind)) return true
  const [refusal] = await work.tx.run(refusals, { id: refusalId(processingId, to ?? '') })
  return refusal === undefined
}

/** Queues a message about an invoice to its customer while mail is on and something is due. */
export async function queueInvoiceMail(
  work: Work,
  kind: 'invoice' | 'failed_payment',
  invoice: InvoiceRow,
): Promise<void> {
  const { id: aboutId, billing_contact__email: to, processing_id: processingId, amount_due: due } = invoice
  if (!to || (due ?? 0) <= 0 || !(await currentServer(work))) return
  await queueMail(work, { kind, to, aboutId, processingId })
}

/** The organization of a processing account; undefined if it has none. */
export async function orgOf(work: Work, account: AccountRow | undefined): Promise<OrgRow | undefined> {
  return account?.parent_org_id ? await work.find(resources.org, account.parent_org_id) : undefined
}

const byKey = prepared<{ key: string }, Pick<MailMessageRow, 'id'>>((db, param) =>
  db.selectFrom('admin_mail_messages').select('id').where('key', '=', param('key')),
)

const refusals = prepared<{ id: string }, { id: string }>((db, param) =>
  db.selectFrom('mail_refusals').select('id').where('id', '=', param('id')),
)
