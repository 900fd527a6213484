import { lockName } from '../database/differences.js'
import type { InsertedRows } from '../database/inserted-rows.js'
import type { Prepared } from '../database/prepared.js'
import { readByIds } from '../database/read-by-id.js'
import { onlyReads, type Statement } from '../database/statement.js'
import { type Named, postgresText } from './named-queries.js'

/** A statement that units of work may run in a group. */
export type GroupedStatement = GroupedRead | GroupedWrite

/** It changes nothing, and sees only what is committed. */
export interface GroupedRead {
  readonly kind: 'read'
  readonly way: ReadTogether
  /** The tables that it reads. */
  readonly reads: ReadonlySet<string>
}

/** How a statement is asked for many units of work. */
type ReadTogether =
  /** Rows by their ids, in one statement; when they are locked, those that somebody else has locked are left out. */
  | { readonly by: 'id'; readonly text: string; readonly locks: boolean }
  /** It is the same for all. */
  | { readonly by: 'nothing' }
  /** For each by itself. */
  | { readonly by: 'itself' }
  /** The right to a name until the end of the unit of work, where nobody else has it. */
  | { readonly by: 'name' }

/** It inserts rows. */
export interface GroupedWrite {
  readonly kind: 'write'
  readonly table: string
  /** Nothing where a value of the one row is computed: it is written by itself. */
  readonly rows: InsertedRows | undefined
}

const known = new WeakMap<object, GroupedStatement | { readonly kind: 'apart' }>()

/** How a statement is run in a group; it is run apart from others where it is none that is known to do no harm there. */
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
