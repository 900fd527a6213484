import { lockName } from '../database/differences.js'
import type { InsertedRows } from '../database/inserted-rows.js'
import type { Prepared } from '../database/prepared.js'
import { readByIds } from '../database/read-by-id.js'
import { onlyReads, type Statement } from '../database/statement.js'
import { type Named, postgresText } from './named-queries.js'

/** Statement that units of work may run in a group. */
export type GroupedStatement = GroupedRead | GroupedWrite

/** Statement that only reads committed data. */
export interface GroupedRead {
  readonly kind: 'read'
  readonly way: ReadTogether
  /** Tables that the statement reads. */
  readonly reads: ReadonlySet<string>
}

/** Way to run a read for many units of work. */
type ReadTogether =
  /**
   * Reads rows by their ids, in one statement. If the read locks the rows, rows that others have locked are
   * left out.
   */
  | { readonly by: 'id'; readonly text: string; readonly locks: boolean }
  /** Identical for all units of work. */
  | { readonly by: 'nothing' }
  /** Sent separately for each unit of work. */
  | { readonly by: 'itself' }
  /** Takes the lock on a name until the transaction ends, if no other transaction holds it. */
  | { readonly by: 'name' }

/** Statement that inserts rows. */
export interface GroupedWrite {
  readonly kind: 'write'
  readonly table: string
  /**
   * Rows that the statement inserts. Undefined if values of its single row are computed; the row is then
   * written separately.
   */
  readonly rows: InsertedRows | undefined
}

const known = new WeakMap<object, GroupedStatement | { readonly kind: 'apart' }>()

/** Way to run a statement in a group. Statements that are not known to be safe there are run apart. */
export function groupedStatement<P extends object>(
  query: Prepared<P, unknown>,
  named: Pick<Named<P>, 'statement' | 'given' | 'sealing'>,
): GroupedStatement | { readonly kind: 'apart' } {
  const seen = known.get(query)
  if (seen) return seen
  const found = classified(query, named) ?? { kind: 'apart' }
  known.set(query, found)
  return found
}

function classified<P extends object>(
  query: object,
  { statement, given, sealing }: Pick<Named<P>, 'statement' | 'given' | 'sealing'>,
): GroupedStatement | undefined {
  const { verb, table, rows } = statement
  if (query === lockName) return { kind: 'read', way: { by: 'name' }, reads: new Set() }
  if (onlyReads(statement)) return readTogether(statement, given)
  if (verb !== 'insert' || table === undefined || !rows) return undefined
  if (rows.areGiven && !sealing?.returning) return { kind: 'write', table, rows }
  return rows.count === 1 && !rows.replaced ? { kind: 'write', table, rows: undefined } : undefined
}

function readTogether({ byId, locks, reads }: Statement, given: readonly number[]): GroupedRead | undefined {
  if (reads === 'any' || locks === 'other') return undefined
  if (byId?.isWhole && given.length === 1 && given[0] === 0) {
    const text = postgresText(readByIds(byId))
    return { kind: 'read', way: { by: 'id', text, locks: locks === 'reference' }, reads }
  }
  if (locks !== 'none') return undefined
  return { kind: 'read', way: given.length === 0 ? { by: 'nothing' } : { by: 'itself' }, reads }
}
