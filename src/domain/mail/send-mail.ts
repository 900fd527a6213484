import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { severalAtOnce } from '../../engine/jobs/several-at-once.js'
import { takeRows, waitForName } from '../../engine/store/database/differences.js'
import type { MailMessageRow, MailServerRow } from '../../engine/store/database/tables.js'
import type { OpenSmtp } from '../../platform/network/late-smtp.js'
import type { SmtpAnswer, SmtpSession } from '../../platform/network/smtp.js'
import type { Random } from '../../platform/random.js'
import { currentServer, MAIL_SERVER } from '../mail-outbox/current-server.js'
import { noteMail } from '../mail-outbox/note-mail.js'
import { MAIL_LEASE } from '../mail-outbox/queue-mail.js'
import { nextAttempt } from '../webhooks/delivery-outcome.js'
import { openPassword } from './mail-password.js'
import { type PreparedMail, prepareMail } from './prepare-mail.js'

/** Maximum number of messages that are claimed together. */
const BATCH_SIZE = 50

/** Sends one message now. Returns the reason why it was not sent; undefined if it was sent. */
export type SendOne = (id: string) => Promise<string | undefined>

export interface MailDependencies {
  readonly runner: WorkRunner
  readonly openSmtp: OpenSmtp
  readonly random: Random
}

/** A message that this run sends. */
interface Claim {
  readonly id: string
  readonly lease: string
}

/**
 * Sends the messages that are due until there are none; returns the number of attempts. Any number of processes may do
 * so on one database. A message whose attempt is not recorded, as after a crash, is sent again under the same
 * `Message-ID`. In test, messages are composed and stored, but not sent.
 */
export async function sendDueMail(dependencies: MailDependencies, stopping: AbortSignal): Promise<number> {
  let attempts = 0
  let made = 0
  do {
    made = await sendBatch(dependencies, stopping)
    attempts += made
  } while (made > 0 && !stopping.aborted)
  return attempts
}

/**
 * Sends a batch of messages through the current server. A server that is replaced during a batch gets at most the rest
 * of this batch.
 */
async function sendBatch(dependencies: MailDependencies, stopping: AbortSignal): Promise<number> {
  const { runner } = dependencies
  const server = await runner.read(async (work) => ((await nextDue(work)) ? await usable(work) : undefined))
  if (!server) return 0
  if (server === 'off') return await dropAll(runner)
  const session = await sessionOf(dependencies, server)
  try {
    const claims = await claimDue(runner)
    await severalAtOnce(claims, async (claim) => {
      if (!stopping.aborted) await attempt(dependencies, session, claim, stopping)
    })
    return claims.length
  } finally {
    session?.close()
  }
}

/** Sends one message now, even if it is not due. */
export async function sendOneMail(dependencies: MailDependencies, id: string): Promise<string | undefined> {
  const server = await dependencies.runner.read(usable)
  if (server === 'off') return 'Mail is off'
  const session = await sessionOf(dependencies, server)
  try {
    const claim = await dependencies.runner.write(async (work) => await claimOne(work, id))
    return claim && (await attempt(dependencies, session, claim, new AbortController().signal))
  } finally {
    session?.close()
  }
}

/** A mail server with its password. */
interface UsableServer {
  readonly row: MailServerRow
  readonly password: string | null
  /** Reason why mail is not sent through the server; undefined if mail can be sent. */
  readonly problem: string | undefined
  readonly isTest: boolean
}

async function usable(work: Work): Promise<UsableServer | 'off'> {
  const row = await currentServer(work)
  if (!row) return 'off'
  const password = openPassword(work.vault, row)
  const changed = await work.sealProblem('admin_mail_servers', row.id, row)
  const problem = changed ?? (password === undefined ? 'The password does not open: set it again' : undefined)
  return { row, password: password ?? null, problem, isTest: work.environment === 'test' }
}

/** Connections to the server; undefined if mail is not sent. */
async function sessionOf(
  { openSmtp }: MailDependencies,
  { row, password, problem, isTest }: UsableServer,
): Promise<SmtpSession | undefined> {
  if (isTest || problem !== undefined) return undefined
  return await openSmtp({
    host: row.host ?? '',
    port: row.port ?? 0,
    security: row.security ?? 'starttls',
    username: row.username ?? undefined,
    password: password ?? undefined,
  })
}

/** Whether a message is due. */
async function nextDue({ tx: { db }, realMilliseconds }: Work): Promise<boolean> {
  const due = await db
    .selectFrom('admin_mail_messages')
    .select('id')
    .where('status', '=', 'queued')
    .where('due_at', '<=', realMilliseconds)
    .limit(1)
    .executeTakeFirst()
  return due !== undefined
}

/** Drops all waiting messages, because mail is off. */
async function dropAll(runner: WorkRunner): Promise<number> {
  let isMore = true
  while (isMore) isMore = await runner.write(dropBatch)
  return 0
}

async function dropBatch(work: Work): Promise<boolean> {
  // Mail may have been switched on since it was found to be off.
  await waitForName(work.tx, MAIL_SERVER)
  if (await currentServer(work)) return false
  const outcome = { status: 'dropped', problem: 'Mail is off' } as const
  const due = await takeDue(work)
  if (due.length === 0) return false
  await work.tx.db
    .updateTable('admin_mail_messages')
    .set({ ...outcome, due_at: null, lease: null })
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .execute()
  for (const message of due) await noteMail(work, message, outcome)
  return due.length === BATCH_SIZE
}

async function claimDue(runner: WorkRunner): Promise<readonly Claim[]> {
  return await runner.write(async (work) => {
    const due = await takeDue(work)
    return await claim(
      work,
      due.map(({ id }) => id),
    )
  })
}

/**
 * Messages that are due, except those that another process claims at this moment. A message that is being sent is not
 * due.
 */
async function takeDue({ tx, realMilliseconds: now }: Work) {
  const due = tx.db
    .selectFrom('admin_mail_messages')
    .select(['id', 'kind', 'about_id'])
    .where('status', '=', 'queued')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(BATCH_SIZE)
  return await takeRows(tx.dialect, due).execute()
}

async function claimOne(work: Work, id: string): Promise<Claim | undefined> {
  const [claimed] = await claim(work, [id])
  return claimed
}

async function claim(work: Work, ids: readonly string[]): Promise<readonly Claim[]> {
  if (ids.length === 0) return []
  const lease = work.newId('')
  await work.tx.db
    .updateTable('admin_mail_messages')
    .set({ due_at: work.realMilliseconds + MAIL_LEASE, lease })
    .where('id', 'in', ids)
    .where('status', '=', 'queued')
    .execute()
  return ids.map((id) => ({ id, lease }))
}

/** Writes, sends and records one message. Returns the reason why it was not sent; undefined if it was sent. */
async function attempt(
  { runner, random }: MailDependencies,
  session: SmtpSession | undefined,
  claimed: Claim,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const prepared = await preparedFor(runner, claimed)
  if (prepared.kind === 'done') return undefined
  const answer = await sent(prepared, session, stopping)
  // It is unknown whether the server has accepted the message. The message is sent again when the lease ends.
  if (answer.kind === 'stopped') return 'It was stopped'
  const chance = Buffer.from(random.bytes(2)).readUInt16BE() / 0x10000
  await runner.write(async (work) => await record(work, claimed, answer, chance))
  return answer.kind === 'refused' ? answer.problem : undefined
}

async function preparedFor(runner: WorkRunner, { id, lease }: Claim): Promise<PreparedMail> {
  try {
    return await runner.write(async (work) => {
      const server = await usable(work)
      if (server === 'off') return { kind: 'unwritten', problem: 'Mail is off' }
      if (server.problem !== undefined) return { kind: 'unwritten', problem: server.problem }
      return await prepareMail(work, server.row, { id, lease })
    })
  } catch (error) {
    return { kind: 'unwritten', problem: error instanceof Error ? error.message : String(error) }
  }
}

async function sent(
  prepared: Exclude<PreparedMail, { kind: 'done' }>,
  session: SmtpSession | undefined,
  stopping: AbortSignal,
): Promise<SmtpAnswer> {
  if (prepared.kind === 'unwritten') return { kind: 'refused', problem: prepared.problem, isFinal: false }
  if (!session) return { kind: 'refused', problem: 'Mail is off', isFinal: false }
  return await session.send(prepared.mail, stopping)
}

/** Records an attempt, unless another process has claimed the message since. */
async function record(work: Work, { id, lease }: Claim, answer: SmtpAnswer, chance: number): Promise<void> {
  const { tx, realMilliseconds: now } = work
  const row = await tx.db
    .selectFrom('admin_mail_messages')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.status !== 'queued') return
  const attempts = (row.attempts ?? 0) + 1
  const outcome = outcomeOf(answer, { attempts, now, chance }, work)
  await tx.db
    .updateTable('admin_mail_messages')
    .set({
      attempts,
      lease: null,
      modified_at: work.now,
      ...outcome,
    })
    .where('id', '=', id)
    .$if(answer.kind !== 'taken', (query) => query.where('lease', '=', lease))
    .execute()
  const { status, problem, sent_at } = outcome
  if (answer.kind === 'taken' || row.lease === lease) await noteMail(work, row, { status, problem, sent_at })
}

function outcomeOf(
  answer: SmtpAnswer,
  made: { readonly attempts: number; readonly now: number; readonly chance: number },
  { now }: Work,
): Partial<MailMessageRow> {
  if (answer.kind === 'taken') return { status: 'sent', sent_at: now, due_at: null, problem: null }
  const problem = answer.kind === 'refused' ? answer.problem : null
  const dueAt =
    answer.kind === 'refused' && answer.isFinal ? undefined : nextAttempt({ ...made, retryAfter: undefined })
  return dueAt === undefined ? { status: 'failed', due_at: null, problem } : { due_at: dueAt, problem }
}
