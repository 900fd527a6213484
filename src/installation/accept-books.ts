import { booksProblem, readKnownBooks } from '../engine/store/books/compare-head.js'
import { prepared } from '../engine/store/database/prepared.js'
import type { Store, Tx } from '../engine/store/database/store.js'
import type { BooksAcceptanceRow } from '../engine/store/database/tables.js'
import { openAsIs, openStore, type StoreOptions } from '../engine/store/open-store.js'
import { openVault } from '../engine/store/vault/vault.js'
import type { Clock } from '../platform/clock.js'
import { timeOrderedIds } from '../platform/ids.js'
import { datetimeOf } from '../schema/datetime.js'
import { timeOfId } from '../schema/id-time.js'
import { InstallationError } from './installation-error.js'

/**
 * Accepts the books of an environment as they are, although they do not match their head file or the key file, and seals
 * that with the reason. Returns the mismatch. Throws an `InstallationError` if there is none, or if it cannot be sealed now.
 */
export async function acceptBooks(
  options: StoreOptions & { readonly clock: Clock },
  reason: string,
): Promise<{ id: string; problem: string }> {
  const { home, environment, clock, random } = options
  const vault = openVault(home, random)
  const accept = async (store: Store) =>
    await store.write(async (tx) => {
      const problem = await booksProblem(tx, readKnownBooks(home, environment, vault))
      if (problem === undefined)
        throw new InstallationError(
          `The books of ${environment} match their head file and the key file: nothing to accept.`,
        )
      const id = timeOrderedIds(clock, random).next('bacc_')
      const now = datetimeOf(clock.now())
      await recordAcceptance(tx, { id, reason, problem, accepted_at: now })
      await noteForgotten(tx, now)
      return { id, problem }
    })
  const store = await openStore({ ...options, acceptsBooks: true })
  const accepted = await accept(store).finally(() => store.close())
  await expectAccepted(options)
  return accepted
}

/**
 * Replaces the head file and the log that the key file knows after the commit, and seals PostgreSQL, at the latest when its store is closed. A failure is
 * reported, and does not undo the commit.
 */
async function expectAccepted(options: StoreOptions): Promise<void> {
  const { home, environment, random } = options
  const known = readKnownBooks(home, environment, openVault(home, random))
  const opened = await openAsIs(options)
  const problem = await opened?.store
    .read(async (tx) => await booksProblem(tx, known))
    .finally(() => opened.store.close())
  if (problem !== undefined)
    throw new InstallationError(
      'That the books are accepted could not be sealed; run payctl books accept again.',
    )
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
 * Begins a catch-up, as books without their last commits lack later operations of gateways, however they were
 * restored. It covers the time from the last known transaction, or from the connection of the first gateway. No
 * operation is sent to gateways before it is complete.
 */
async function noteForgotten({ db }: Tx, now: string): Promise<void> {
  const gateway = await db.selectFrom('admin_gateways').select('id').orderBy('id').limit(1).executeTakeFirst()
  if (!gateway) return
  const last = await db
    .selectFrom('transactions')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const since = datetimeOf(timeOfId((last ?? gateway).id))
  await db
    .insertInto('catch_ups')
    .values({ id: 'catch_up', since, restored_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
