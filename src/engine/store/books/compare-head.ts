import { StoreError } from '../database/errors.js'
import { type Prepared, prepared } from '../database/prepared.js'
import type { Tx } from '../database/store.js'
import type { SealLogRow } from '../database/tables.js'
import { readHead } from './head-file.js'
import { lastSealed } from './seal-log.js'

/**
 * What is wrong when a database is not the one that a head file was written for, or lost commits that the file knows;
 * nothing while it is as far as the head, or ahead of it.
 */
export async function headProblem(tx: Tx, path: string): Promise<string | undefined> {
  const last = await lastSealed(tx)
  const head = readHead(path)
  // Others may serve the same database of PostgreSQL from homes of their own.
  if (!head)
    return last.number === 0 || tx.dialect === 'postgres' ? undefined : `The head file ${path} is missing`
  if (head.number > last.number)
    return `The database is at commit ${last.number} of its books and was at ${head.number}: what was committed since then is missing`
  if (head.number === 0) return undefined
  const [row] = await tx.run(commitStatement, { id: head.number })
  return row?.hash === head.hash
    ? undefined
    : `The database has another commit ${head.number} than its head file ${path}`
}

/** Throws a `StoreError` when there is a problem with the head. */
export async function compareHead(tx: Tx, path: string): Promise<void> {
  const problem = await headProblem(tx, path)
  if (problem !== undefined)
    throw new StoreError(
      'books_differ',
      `${problem}; restore a backup, or take the books as they are: payctl books accept --reason <text>`,
    )
}

const commitStatement: Prepared<{ id: number }, Pick<SealLogRow, 'hash'>> = prepared((db, param) =>
  db.selectFrom('seal_log').select('hash').where('id', '=', param('id')),
)
