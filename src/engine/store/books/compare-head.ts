import { type Prepared, prepared } from '../database/prepared.js'
import type { Environment, Store, Tx } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import type { SealLogRow } from '../database/tables.js'
import { headPath, readHead } from './head-file.js'
import { type Head, lastSealed } from './seal-log.js'

/**
 * What is wrong when a database is not the one that a head file was written for, or has lost commits that the file knows;
 * undefined while it has reached the head. The head must have been read before what `tx` shows.
 */
export async function headProblem(
  tx: Tx,
  path: string,
  head: Head | undefined = readHead(path),
): Promise<string | undefined> {
  if (head) return await commitsProblem(tx, head, `its head file ${path}`)
  const last = await lastSealed(tx)
  // On PostgreSQL, the same database may be served from several homes.
  return last.number === 0 || tx.dialect === 'postgres' ? undefined : `The head file ${path} is missing`
}

/** What is wrong when a database lacks commits that a head knows; `place` says where the head is. */
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

/** Throws a `StoreError` when there is a problem with the head. */
export async function compareHead(
  tx: Tx,
  path: string,
  environment: Environment,
  head?: Head,
): Promise<void> {
  const problem = await headProblem(tx, path, head)
  if (problem !== undefined)
    throw new StoreError(
      'books_differ',
      `${problem}; restore a backup (payctl restore), or accept the books as they are: payctl books accept --env ${environment} --reason <text>`,
    )
}

/** Throws a `StoreError` when a database has not reached the head that its home knows. Changes nothing. */
export async function expectHead(store: Store, home: string, environment: Environment): Promise<void> {
  const path = headPath(home, environment)
  const head = readHead(path)
  await store.read(async (tx) => await compareHead(tx, path, environment, head))
}

const commitStatement: Prepared<{ id: number }, Pick<SealLogRow, 'hash'>> = prepared((db, param) =>
  db.selectFrom('seal_log').select('hash').where('id', '=', param('id')),
)
