import { restoreTool } from '../database/differences.js'
import { type Prepared, prepared } from '../database/prepared.js'
import type { Environment, SqlDialect, Store, Tx } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import type { SealLogRow } from '../database/tables.js'
import type { HomeVault } from '../vault/vault.js'
import { headPath, readHead } from './head-file.js'
import { identityProblem } from './log-identity.js'
import { type Head, type KeyedHash, lastSealed } from './seal-log.js'

/**
 * Knowledge about the books of an environment that comes from outside its database, and was read before the
 * database.
 */
export interface KnownBooks {
  readonly environment: Environment
  /** Path of the head file. */
  readonly path: string
  /** Content of the head file; undefined if there is no file. */
  readonly head: Head | undefined
  /** Identity of the log in the key file; undefined until the log has begun. */
  readonly log: string | undefined
  readonly keyed: KeyedHash
}

/** Reads the head file and the key file of an environment. Throws a `StoreError` for an unusable key file. */
export function readKnownBooks(
  home: string,
  environment: Environment,
  vault: Pick<HomeVault, 'hash' | 'logOf'>,
): KnownBooks {
  const path = headPath(home, environment)
  // The key file is read first, because its entries are written only after those of the head file.
  const log = vault.logOf(environment)
  return { environment, path, head: readHead(path), log, keyed: vault.hash }
}

/**
 * Problem of a database whose log differs from the log that its home knows, or lacks commits that the head
 * file knows; undefined if none.
 */
export async function booksProblem(tx: Tx, known: KnownBooks): Promise<string | undefined> {
  return (await identityProblem(tx, known.log, known)) ?? (await headProblem(tx, known))
}

async function headProblem(tx: Tx, { path, head, log }: KnownBooks): Promise<string | undefined> {
  // A log that has begun has a head file with a number. On PostgreSQL, several homes may serve one
  // database.
  if (head && (head.number > 0 || log === undefined))
    return await commitsProblem(tx, head, `its head file ${path}`)
  if (tx.dialect === 'postgres') return undefined
  if (log === undefined && (await lastSealed(tx)).number === 0) return undefined
  return head ? `The head file ${path} was begun anew` : `The head file ${path} is missing`
}

/**
 * Problem of a database that lacks commits known to a head; undefined if none. `place` names the source of
 * the head in the message.
 */
export async function commitsProblem(tx: Tx, head: Head, place: string): Promise<string | undefined> {
  const last = await lastSealed(tx)
  if (head.number > last.number)
    return `The database is at commit ${last.number} of its books and was at ${head.number}: what was committed since then is missing`
  if (head.number === 0) return undefined
  const [row] = await tx.run(commitStatement, { id: head.number })
  return row?.hash === head.hash
    ? undefined
    : `Commit ${head.number} of the database is not the one in ${place}`
}

/** Throws a `StoreError` if the books differ from those that the home knows. */
export async function expectKnown(tx: Tx, known: KnownBooks): Promise<void> {
  const problem = await booksProblem(tx, known)
  if (problem !== undefined) throw booksDiffer(problem, known.environment, tx.dialect)
}

/** Command that accepts the books as they are. */
export function acceptCommand(environment: Environment): string {
  return `payctl books accept --env ${environment} --reason <text>`
}

/** Error for books that differ from those that the home knows; the message names the operator's choices. */
export function booksDiffer(problem: string, environment: Environment, dialect: SqlDialect): StoreError {
  return new StoreError(
    'books_differ',
    `${problem}; restore a backup (${restoreTool(dialect)}), or accept the books as they are: ${acceptCommand(environment)}`,
  )
}

/** Throws a `StoreError` if the books of a store differ from those that its home knows. */
export async function expectBooks(
  store: Store,
  home: string,
  environment: Environment,
  vault: Pick<HomeVault, 'hash' | 'logOf'>,
): Promise<void> {
  const known = readKnownBooks(home, environment, vault)
  await store.read(async (tx) => await expectKnown(tx, known))
}

const commitStatement: Prepared<{ id: number }, Pick<SealLogRow, 'hash'>> = prepared((db, param) =>
  db.selectFrom('seal_log').select('hash').where('id', '=', param('id')),
)
