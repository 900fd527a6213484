import type { SystemWrite } from '../../../engine/core/core.js'
import type { Work } from '../../../engine/core/write/work.js'
import { waitForName } from '../../../engine/store/database/differences.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { OperatorRow, OperatorSessionRow } from '../../../engine/store/database/tables.js'
import { equalsInConstantTime } from '../../../platform/constant-time.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import { expectSealed } from '../seals/not-as-sealed.js'
import { principalOfOperator } from './operator-principal.js'

const MINUTE = 60_000
/**
 * Milliseconds after which a session ends: since its last use (`IDLE`) and since its beginning (`WHOLE`), by the real
 * clock.
 */
const IDLE = 30 * MINUTE
const WHOLE = 8 * 60 * MINUTE
/** Milliseconds after a recorded use in which further uses are not recorded, so that most pages cost no write. */
const SEEN_FOR = MINUTE
/** Milliseconds for which a proof is recent enough for dangerous changes. */
const CONFIRMED_FOR = 10 * MINUTE

const PURPOSE = 'operator_session'
const SECRET_BYTES = 32
const MAX_BROWSER = 200
/** Maximum number of ended sessions that one sign-in deletes. */
const BATCH_SIZE = 100

/** Context of writes for an operator of the console: the activity log names the operator. */
export function byOperator(operator: OperatorRow): SystemWrite {
  return { principal: principalOfOperator(operator), through: 'console' }
}

/** Proof of identity that an operator has given. */
export type Proof = 'code' | 'password' | 'second_factor'

/** Browser and address from which a session begins, and the browser's previous session. */
export interface SessionClient {
  /** The `User-Agent` header. */
  readonly browser: string
  readonly address: string
  /** The cookie of the browser's previous session, which ends now; empty if there is none. */
  readonly previous: string
}

/** A valid session, and its operator. */
export interface HeldSession {
  readonly row: OperatorSessionRow
  readonly operator: OperatorRow
}

/**
 * Begins a session, and ends the browser's previous one, so that its cookie is no longer valid. The operator's row
 * must be locked: another request that ends all their sessions then ends this one, too. Returns the cookie.
 */
export async function beginSession(
  work: Work,
  operator: OperatorRow,
  { proof, browser, address, previous }: SessionClient & { readonly proof: Proof },
  random: Random,
): Promise<string> {
  await deleteEnded(work)
  const replaced = await sessionOfCookie(work, previous)
  if (replaced) await endSession(work, replaced)
  const secret = newSecret(random)
  const blank = work.blank(resources.operator_session)
  const row: OperatorSessionRow = {
    ...blank,
    operator_id: operator.id,
    proof,
    browser: browser.slice(0, MAX_BROWSER),
    address,
    expires_at: datetimeOf(work.realMilliseconds + WHOLE),
    seen_at: work.realNow,
    confirmed_at: work.realNow,
    secret_hash: hashOf(work, blank.id, secret),
  }
  await work.insert(resources.operator_session, row)
  return `${row.id}.${secret}`
}

/**
 * The session of a cookie; undefined if it is unknown or has ended, or if its operator is disabled. Throws
 * `NotAsSealed` for rows that something other than the service has written.
 */
export async function heldSession(work: Work, cookie: string): Promise<HeldSession | undefined> {
  const held = await sessionOfCookie(work, cookie)
  if (!held) return undefined
  await expectSealed(work, 'admin_operator_sessions', held.row)
  await expectSealed(work, 'admin_operators', held.operator)
  return held
}

/** The session of a cookie, like `heldSession`, but without comparing rows with their seals. */
async function sessionOfCookie(work: Work, cookie: string): Promise<HeldSession | undefined> {
  const [id = '', secret = ''] = cookie.split('.')
  const row = id === '' ? undefined : await work.find(resources.operator_session, id)
  if (!row || row.operator_id === null || hasEnded(row, work.realMilliseconds)) return undefined
  if (!equalsInConstantTime(row.secret_hash ?? '', hashOf(work, id, secret))) return undefined
  const operator = await work.find(resources.operator, row.operator_id)
  return operator?.status === 'active' ? { row, operator } : undefined
}

/**
 * Records that the operator has proved their identity again, and changes the session's secret. Returns the new
 * cookie.
 */
export async function confirmSession(
  work: Work,
  { row: { id } }: HeldSession,
  random: Random,
): Promise<string> {
  const secret = newSecret(random)
  await work.change(resources.operator_session, id, {
    confirmed_at: work.realNow,
    secret_hash: hashOf(work, id, secret),
  })
  return `${id}.${secret}`
}

/** Whether a use of the session is to be recorded: at most once a minute. */
export function isUnseen({ seen_at }: OperatorSessionRow, now: number): boolean {
  return now - timeOf(seen_at) >= SEEN_FOR
}

/** Records that the session of a cookie is used, unless it has ended. Throws `NotAsSealed`. */
export async function noteUse(work: Work, cookie: string): Promise<void> {
  const [id = ''] = cookie.split('.')
  await work.lock(resources.operator_session, id)
  if (await heldSession(work, cookie)) await work.tx.change(useSession, { id, now: work.realNow })
}

/**
 * Whether the last proof of a session is recent enough for dangerous changes. A session that began with an entry code
 * counts as confirmed until it ends.
 */
export function isConfirmed({ proof, confirmed_at }: OperatorSessionRow, now: number): boolean {
  return proof === 'code' || now - timeOf(confirmed_at) < CONFIRMED_FOR
}

export async function endSession(work: Work, { row }: HeldSession): Promise<void> {
  await work.deletePlainly(resources.operator_session, row)
}

/** Ends all sessions of an operator. */
export async function endSessionsOf(work: Work, operatorId: string): Promise<void> {
  for (const row of await work.findBy(resources.operator_session, 'operator_id', operatorId))
    await work.deletePlainly(resources.operator_session, row)
}

function hasEnded({ expires_at, seen_at }: OperatorSessionRow, now: number): boolean {
  return timeOf(expires_at) <= now || timeOf(seen_at) + IDLE <= now
}

/** Milliseconds since 1970; a missing datetime is long ago. */
function timeOf(datetime: string | null): number {
  return datetime === null ? 0 : millisecondsOf(datetime)
}

function newSecret(random: Random): string {
  return Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url')
}

/** A keyed hash of a session's secret. */
function hashOf({ vault, environment }: Work, id: string, secret: string): string {
  return vault.hash(JSON.stringify([environment, id, secret]), PURPOSE)
}

/** Deletes the rows of sessions that have ended, some at a time. */
async function deleteEnded({ tx, realMilliseconds, realNow }: Work): Promise<void> {
  await waitForName(tx, 'operator sessions')
  const ended = await tx.run(endedSessions, { now: realNow, idle: datetimeOf(realMilliseconds - IDLE) })
  for (const { id } of ended) await tx.change(deleteById, { id })
}

const endedSessions = prepared<{ now: string; idle: string }, { id: string }>((db, param) =>
  db
    .selectFrom('admin_operator_sessions')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', param('now')),
        eb('seen_at', '<=', param('idle')),
        eb('deleted_at', 'is not', null),
      ]),
    )
    .limit(BATCH_SIZE),
)

const deleteById = prepared<{ id: string }, unknown>((db, param) =>
  db.deleteFrom('admin_operator_sessions').where('id', '=', param('id')),
)

const useSession = prepared<{ id: string; now: string }, unknown>((db, param) =>
  db
    .updateTable('admin_operator_sessions')
    .set({ seen_at: param('now') })
    .where('id', '=', param('id')),
)
