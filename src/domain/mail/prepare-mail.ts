import type { Work } from '../../engine/core/write/work.js'
import type { MailMessageRow, MailServerRow } from '../../engine/store/database/tables.js'
import { equalsInConstantTime } from '../../platform/constant-time.js'
import type { OutgoingMail } from '../../platform/network/smtp.js'
import { resources } from '../../resources/resource-table.js'
import { noteMail } from '../mail-outbox/note-mail.js'
import { MAIL_LEASE, mailProof } from '../mail-outbox/queue-mail.js'
import { composeMail } from './messages/compose-mail.js'
import { type MailContent, oneLine } from './messages/mail-content.js'
import { parseMail } from './parse-mail.js'
import { mailHtml, mailText } from './render-mail.js'

/** A message ready to be sent; `done` if sending is not needed. */
export type PreparedMail =
  | { readonly kind: 'ready'; readonly mail: OutgoingMail }
  | { readonly kind: 'unwritten'; readonly problem: string }
  | { readonly kind: 'done' }

/** Header by which mail programs offer to unsubscribe with one click (RFC 8058). */
const ONE_CLICK = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

/**
 * Writes a claimed message at its first attempt, and stores its content, so that each attempt sends the same. Drops a
 * message that is not needed any more, also at a later attempt. In test, a message is stored and not sent.
 */
export async function prepareMail(
  work: Work,
  server: MailServerRow,
  { id, lease }: { readonly id: string; readonly lease: string },
): Promise<PreparedMail> {
  const row = await work.lock(resources.mail_message, id)
  if (row?.status !== 'queued' || row.lease !== lease) return { kind: 'done' }
  if (row.proof === null || !equalsInConstantTime(row.proof, mailProof(work.vault, row)))
    return { kind: 'unwritten', problem: 'Something other than payctl wrote this message' }
  // The lease begins again here: earlier messages of the same claim may have taken long.
  const claimed = { due_at: work.realMilliseconds + MAIL_LEASE }
  const composed = await composeMail(work, row, server)
  const settled = { due_at: null, lease: null, attempts: (row.attempts ?? 0) + 1 }
  if (composed.kind === 'dropped') {
    const outcome = { status: 'dropped', problem: composed.problem } as const
    await work.change(resources.mail_message, id, { ...settled, ...outcome })
    await noteMail(work, row, outcome)
    return { kind: 'done' }
  }
  const stored = parseMail(row.content)
  if (stored) {
    await work.change(resources.mail_message, id, claimed)
    return ready(work, row, server, stored)
  }
  const { content } = composed
  const text = JSON.stringify(content)
  const written = {
    subject: oneLine(content.subject),
    language: content.language,
    content: text,
    proof: mailProof(work.vault, { ...row, content: text }),
  }
  if (work.environment === 'test') {
    const outcome = { status: 'kept', problem: null } as const
    await work.change(resources.mail_message, id, { ...settled, ...written, ...outcome })
    await noteMail(work, row, outcome)
    return { kind: 'done' }
  }
  await work.change(resources.mail_message, id, { ...written, ...claimed })
  return ready(work, row, server, content)
}

function ready(
  { environment }: Work,
  { id, key, email: to }: MailMessageRow,
  { from_address: from }: MailServerRow,
  content: MailContent,
): PreparedMail {
  const { merchant, replyTo, subject, unsubscribe } = content
  if (!isOneAddress(to) || !isOneAddress(from))
    return { kind: 'unwritten', problem: 'The address is not one that mail can be sent to' }
  return {
    kind: 'ready',
    mail: {
      from: { name: oneLine(merchant), address: from },
      to,
      replyTo: isOneAddress(replyTo) ? replyTo : undefined,
      subject: oneLine(subject),
      text: mailText(content),
      html: mailHtml(content),
      messageId: `${(key ?? id).replaceAll(' ', '.')}.${environment}@${from.slice(from.lastIndexOf('@') + 1)}`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribe && { 'List-Unsubscribe': `<${unsubscribe.address}>`, ...ONE_CLICK }),
      },
    },
  }
}

/** Whether a text is exactly one address, without a name, list, comment or line end. */
function isOneAddress(text: string | null | undefined): text is string {
  return (
    typeof text === 'string' &&
    /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u.test(text)
  )
}
