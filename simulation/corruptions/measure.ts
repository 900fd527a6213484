import { sql } from 'kysely'
import { openApp } from '../../src/app.js'
import { sealedBooks } from '../../src/domain/verify/ledger/verify-sealed-books.js'
import type { Finding } from '../../src/domain/verify/pass/finding.js'
import { type Verified, verify } from '../../src/domain/verify/verify.js'
import type { Work } from '../../src/engine/core/write/work.js'
import { type KnownBooks, readKnownBooks } from '../../src/engine/store/books/compare-head.js'
import { using } from '../../src/engine/store/database/raw-use.js'
import { openVault } from '../../src/engine/store/vault/vault.js'
import { systemRandom } from '../../src/platform/random.js'
import { type Chance, seededChance } from '../../test/support/chance.js'
import type { Place } from '../../test/support/databases.js'
import { booksSealed } from '../../test/support/outsider.js'
import { type Corruption, corrupt, KINDS, type Kind, placeOf } from './corruption.js'

export interface Measured extends Corruption {
  /** First finding of verify; undefined if verify did not notice the corruption. */
  readonly found: Finding | undefined
}

export interface Measurement {
  readonly place: Place
  readonly seed: number
  /** Number of corruptions of all kinds together. */
  readonly size: number
}

/** Maximal number of attempts: the database may refuse a corruption, or there may be no value to corrupt. */
const TRIES = 200

/**
 * Corrupts books, one corruption at a time, each kind equally often, and runs verify each time. The books are restored
 * after each corruption. All of this happens in one unit of work, which is rolled back.
 */
export async function measureCorruptions({ place, seed, size }: Measurement): Promise<Measured[]> {
  const app = openApp({ ...place })
  const vault = openVault(place.home, systemRandom)
  const known = () => readKnownBooks(place.home, 'test', vault)
  const chance = seededChance(seed)
  const measured: Measured[] = []
  try {
    const { core } = await app.environment('test')
    await booksSealed(place)
    await core
      .write(async (work) => {
        await withoutConstraints(work)
        const { findings } = await verifyIn(work, known)
        if (findings.length > 0)
          throw new Error(`Honest books are called wrong: ${JSON.stringify(findings.slice(0, 20), null, 1)}`)
        for (let n = 0; n < size; n++) {
          const one = await measureOne(work, chance, KINDS[n % KINDS.length] ?? 'change', known)
          if (one) measured.push(one)
        }
        throw new Undone()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error
      })
    return measured
  } finally {
    await app.close()
  }
}

class Undone extends Error {}

/** Runs all checks of verify within one unit of work, including the sealed books. */
async function verifyIn(work: Work, known: () => KnownBooks): Promise<Verified> {
  const steps = {
    read: async <T>(job: (inner: Work) => Promise<T>) => await job(work),
    write: async <T>(job: (inner: Work) => Promise<T>) => await job(work),
  }
  return await verify(steps, { books: sealedBooks(steps, known) })
}

async function measureOne(
  work: Work,
  chance: Chance,
  kind: Kind,
  known: () => KnownBooks,
): Promise<Measured | undefined> {
  for (let n = 0; n < TRIES; n++) {
    const place = placeOf(kind, chance)
    await using({ reads: [] }, sql`savepoint honest`).execute(work.tx.any)
    try {
      const corruption = await refusable(() => corrupt(work.tx, chance, kind, place))
      if (!corruption) continue
      const { findings } = await verifyIn(work, known)
      return { ...corruption, found: findings[0] }
    } finally {
      await using({ reads: [] }, sql`rollback to savepoint honest`).execute(work.tx.any)
      await using({ reads: [] }, sql`release savepoint honest`).execute(work.tx.any)
    }
  }
  return undefined
}

/** Result of a write; undefined if the database refuses it. */
async function refusable<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write()
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('SQLITE_CONSTRAINT') || code.startsWith('23')
}

/** Disables the database's constraints, as an attacker could without changing the schema. */
async function withoutConstraints({ tx: { any, dialect } }: Work): Promise<void> {
  if (dialect === 'postgres')
    return void (await using(
      { reads: [], schema: true },
      sql`set local session_replication_role = replica`,
    ).execute(any))
  await using({ reads: [], schema: true }, sql`pragma ignore_check_constraints = on`).execute(any)
  await using({ reads: [], schema: true }, sql`pragma defer_foreign_keys = on`).execute(any)
}
