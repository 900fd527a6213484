import { booksProblem, readKnownBooks } from '../engine/store/books/compare-head.js'
import type { BooksAcceptanceRow } from '../engine/store/database/books-rows.js'
import { prepared } from '../engine/store/database/prepared.js'
import type { Tx } from '../engine/store/database/store.js'
import { openAsIs, openStore, type StoreOptions } from '../engine/store/open-store.js'
import { openVault } from '../engine/store/vault/vault.js'
import type { Clock } from '../platform/clock.js'
import { timeOrderedIds } from '../platform/ids.js'
import { datetimeOf } from '../schema/datetime.js'
import { timeOfId } from '../schema/id-time.js'
import { InstallationError } from './installation-error.js'

export interface AcceptOptions extends StoreOptions {
  readonly clock: Clock
}

/** Content of an acceptance; determined in the unit of work that seals it. */
interface Acceptance {
  readonly reason: string
  readonly problem: string
  /** Time (UTC) from which on gateways may have operations that the books lack; undefined without a gateway. */
  readonly since: string | undefined
}

/**
 * Accepts the books of an environment as they are, although they do not match their head file or the key
 * file. The acceptance is sealed with the reason. Returns the mismatch. Throws an `InstallationError` if
 * there is no mismatch, or if the acceptance cannot be sealed now.
 */
export async function acceptBooks(
  options: AcceptOptions,
  reason: string,
): Promise<{ id: string; problem: string }> {
  const { environment } = options
  // The mismatch is checked before the database is opened for acceptance, because opening may create the database and
  // begin its log.
  const problem = await mismatchOf(options)
  if (problem === undefined)
    throw new InstallationError(
      `The books of ${environment} match their head file and the key file: nothing to accept.`,
    )
  return await accept(options, async (tx) => ({ reason, problem, since: await lastKnown(tx) }))
}

/**
 * Accepts the books of a database that was restored from a backup, and seals the acceptance. `madeAt` is the time of
 * the backup (UTC); `replaced` describes the books that the restored database replaced.
 */
export async function acceptRestored(
  options: AcceptOptions,
  { madeAt, replaced }: { readonly madeAt: string; readonly replaced: string },
): Promise<void> {
  await accept(options, async (tx) => {
    // In the live environment, a gateway may have been connected after the backup. The copy then knows no gateway,
    // although operations of that gateway are missing.
    const mayForget = options.environment === 'live' || (await hasGateway(tx))
    return {
      reason: `restored a backup of ${madeAt}`,
      problem: replaced,
      since: mayForget ? madeAt : undefined,
    }
  })
}

async function accept(
  options: AcceptOptions,
  decide: (tx: Tx) => Promise<Acceptance>,
): Promise<{ id: string; problem: string }> {
  const { clock, random } = options
  const store = await openStore({ ...options, acceptsBooks: true })
  const accepted = await store
    .write(async (tx) => {
      const { reason, problem, since } = await decide(tx)
      const id = timeOrderedIds(clock, random).next('bacc_')
      const now = datetimeOf(clock.now())
      await recordAcceptance(tx, { id, reason, problem, accepted_at: now })
      if (since !== undefined) await noteForgotten(tx, since, now)
      return { id, problem }
    })
    .finally(() => store.close())
  await expectAccepted(options)
  return accepted
}

/**
 * Throws an `InstallationError` unless the acceptance took effect. After the commit, the head file and the log in the
 * key file are replaced. On PostgreSQL, the commit is sealed later, at the latest when the store is closed. A failure
 * of these steps is reported and does not undo the commit.
 */
async function expectAccepted(options: StoreOptions): Promise<void> {
  if ((await mismatchOf(options)) !== undefined)
    throw new InstallationError(
      'That the books are accepted could not be sealed; run payctl books accept again.',
    )
}

/**
 * Mismatch between the books and what the home's head file and key file record; undefined if there is none.
 */
async function mismatchOf(options: StoreOptions): Promise<string | undefined> {
  const { home, environment, random } = options
  const known = readKnownBooks(home, environment, openVault(home, random))
  const opened = await openAsIs(options)
  if (!opened) return known.log === undefined ? undefined : `The sealed log of ${environment} is gone`
  return await opened.store
    .read(async (tx) => await booksProblem(tx, known))
    .finally(() => opened.store.close())
}

/** Records that an operator accepted the books. The record is sealed like any other change. */
async function recordAcceptance(tx: Tx, row: BooksAcceptanceRow): Promise<void> {
  await tx.change(insertAcceptance, row)
}

const insertAcceptance = prepared<BooksAcceptanceRow, never>((db, param) =>
  db.insertInto('books_acceptances').values({
    id: param('id'),
    reason: param('reason'),
    problem: param('problem'),
    accepted_at: param('accepted_at'),
  }),
)

/**
 * Time of the newest transaction; without transactions, the time when the first gateway was connected.
 * Undefined without a gateway.
 */
async function lastKnown({ db }: Tx): Promise<string | undefined> {
  const gateway = await db.selectFrom('admin_gateways').select('id').orderBy('id').limit(1).executeTakeFirst()
  if (!gateway) return undefined
  const last = await db
    .selectFrom('transactions')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return datetimeOf(timeOfId((last ?? gateway).id))
}

async function hasGateway({ db }: Tx): Promise<boolean> {
  const connected = db.selectFrom('admin_gateways').select('id').where('deleted_at', 'is', null)
  return (await connected.limit(1).executeTakeFirst()) !== undefined
}

/**
 * Starts a catch-up, because gateways may have done operations that the accepted books lack. Until the
 * catch-up is complete, no operation is sent to gateways. A running catch-up keeps the earlier of the two
 * times.
 */
async function noteForgotten({ db }: Tx, since: string, now: string): Promise<void> {
  const begun = await db.selectFrom('catch_ups').selectAll().where('id', '=', 'catch_up').executeTakeFirst()
  if (!begun) await db.insertInto('catch_ups').values({ id: 'catch_up', since, restored_at: now }).execute()
  else if (since < begun.since)
    await db.updateTable('catch_ups').set({ since }).where('id', '=', 'catch_up').execute()
}
