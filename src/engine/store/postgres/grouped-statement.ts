import { lockName } from '../database/differences.js'
import type { Prepared } from '../database/prepared.js'
import type { Named } from './named-queries.js'

/** A statement that units of work may run in a group. */
export type GroupedStatement = GroupedRead | GroupedWrite

/** It changes nothing, and sees only what is committed. */
export interface GroupedRead {
  readonly kind: 'read'
  readonly way: ReadTogether
  /** The tables that it may read are among them. */
  readonly words: ReadonlySet<string>
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
  readonly rows: NewRows | undefined
}

/** Rows all of whose values are given, one after the other. */
export interface NewRows {
  readonly columns: readonly string[]
  /** What becomes of a row that exists, as the end of a statement. */
  readonly conflict: string
}

const ROWS =
  /^select \* from ("\w+") where (?:id|"id") = \$1((?: and (?:\w+|"\w+") (?:= \$\d+|is null))*) ?(for key share)?$/
/** What locks, or does more than reading. */
const NOT_PLAIN =
  /\bfor (?:update|no key update|share|key share)\b|\bpg_|\b(?:nextval|setval|set_config|txid_\w+)\b/i
const GIVEN =
  /^insert into "(\w+)" \(([^()]+)\) values (\(\$\d+(?:, \$\d+)*\)(?:, \(\$\d+(?:, \$\d+)*\))*)( on conflict \("id"\) do update set "(\w+)" = "excluded"\."\5"(?:, "(\w+)" = "excluded"\."\6")*)?$/
/** One list of values, and no word of what becomes of a row that exists. */
const ONE =
  /^insert into "(\w+)" \([^()]+\) values \((?:(?!\), \(| on conflict | returning ).)*\)( returning [\w", ]+)?$/s

const known = new WeakMap<object, GroupedStatement | { readonly kind: 'apart' }>()

/** How a statement is run in a group; it is run apart from others where it is none that is known to do no harm there. */
export function groupedStatement<P extends object>(
  query: Prepared<P, unknown>,
  named: Pick<Named<P>, 'sql' | 'given' | 'sealed'>,
): GroupedStatement | { readonly kind: 'apart' } {
  const seen = known.get(query)
  if (seen) return seen
  const found = classified(query, named) ?? { kind: 'apart' }
  known.set(query, found)
  return found
}

function classified<P extends object>(
  query: object,
  { sql, given, sealed }: Pick<Named<P>, 'sql' | 'given' | 'sealed'>,
): GroupedStatement | undefined {
  const words = new Set(sql.match(/\w+/g))
  if (query === lockName) return { kind: 'read', way: { by: 'name' }, words: new Set() }
  if (sql.startsWith('select ')) {
    const way = sealed ? undefined : readTogether(sql.trimEnd(), given)
    return way && { kind: 'read', way, words }
  }
  const [, table, columns = '', values = '', conflict = ''] = GIVEN.exec(sql) ?? []
  if (table !== undefined && !sealed?.answers && isInOrder(values, given))
    return { kind: 'write', table, rows: { columns: namesIn(columns), conflict } }
  const [, one, returning] = ONE.exec(sql) ?? []
  // What the caller wants to be returned would be lost.
  if (one === undefined || (returning !== undefined && !sealed?.answers)) return undefined
  return { kind: 'write', table: one, rows: undefined }
}

function readTogether(sql: string, given: readonly number[]): ReadTogether | undefined {
  const [, table, conditions = '', lock] = ROWS.exec(sql) ?? []
  if (table !== undefined && given.length === 1 && given[0] === 0) {
    const text = `select * from ${table} where id = any($1)${conditions}`
    return lock === undefined
      ? { by: 'id', text, locks: false }
      : { by: 'id', text: `${text} for key share skip locked`, locks: true }
  }
  if (NOT_PLAIN.test(sql)) return undefined
  return given.length === 0 ? { by: 'nothing' } : { by: 'itself' }
}

/** Whether the values are all parameters, in their order. */
function isInOrder(values: string, given: readonly number[]): boolean {
  const numbers = [...values.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
  return numbers.length >= given.length && numbers.every((number, index) => number === index + 1)
}

function namesIn(sql: string): string[] {
  return [...sql.matchAll(/"(\w+)"/g)].map(([, name = '']) => name)
}
