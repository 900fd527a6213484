import { type SelectQueryBuilder, sql } from 'kysely'
import type { Work } from '../../../engine/core/write/work.js'
import { using } from '../../../engine/store/database/raw-use.js'
import type { Tx } from '../../../engine/store/database/store.js'
import type { Finding } from './finding.js'

/** Result of examining a page of rows. */
export interface Examined {
  readonly count: number
  readonly findings: readonly Finding[]
}

/** A page, with the position at which the next page begins. */
export interface ExaminedPage extends Examined {
  /** Id of the last row examined; undefined when no rows are left. */
  readonly last: string | undefined
}

/**
 * Pass over the rows of a table, page by page in the order of ids, so that memory stays small and no writer waits.
 * Each page is one consistent read.
 */
export interface Pass {
  /** Name of the examined rows, in words. */
  readonly of: string
  examine(work: Work, after: string): Promise<ExaminedPage>
}

/** Rows of a page that is checked in this process. */
export const PAGE = 250

/** A pass over the rows of a query that has a column `id`. */
export function passOver<Db, Source extends keyof Db, R extends { readonly id: string }>(
  of: string,
  query: (db: Tx['db']) => SelectQueryBuilder<Db, Source, R>,
  examine: (work: Work, rows: readonly R[]) => Promise<Examined>,
  id = 'id',
): Pass {
  return {
    of,
    async examine(work, after) {
      const rows = await nextPage(query(work.tx.db), after, PAGE, id)
      const last = rows.at(-1)?.id
      return last === undefined ? NONE_LEFT : { last, ...(await examine(work, rows)) }
    },
  }
}

export const NONE_LEFT: ExaminedPage = { last: undefined, count: 0, findings: [] }

/** The next rows of a query after an id, in the order of their ids. */
export async function nextPage<Db, Source extends keyof Db, R>(
  query: SelectQueryBuilder<Db, Source, R>,
  after: string,
  limit: number,
  id = 'id',
): Promise<R[]> {
  return await query
    .where(sql<boolean>`${sql.ref(id)} > ${after}`)
    .orderBy(sql.ref(id))
    .limit(limit)
    .execute()
}

/** Rows of a page that the database checks itself; only the problems are returned. */
const CHECKED_PAGE = 2_000

/** End of a page of `length` rows after an id: the id of its last row, and its number of rows. */
export async function pageEnd(
  { any }: Tx,
  table: string,
  after: string,
  length = CHECKED_PAGE,
): Promise<{ readonly last: string | undefined; readonly count: number }> {
  const { rows } = await using(
    { reads: [] },
    sql<{ last: string | null; count: number }>`
    select max(id) as last, count(*) as count from (
      select id from ${sql.table(table)} where id > ${after} order by id limit ${sql.lit(length)}) as page`,
  ).execute(any)
  const { last = null, count = 0 } = rows[0] ?? {}
  return { last: last ?? undefined, count: Number(count) }
}

/** Pages in sequence, each read from the end of the previous page, until a page has no `last`. */
export async function* pagesFrom<K, P extends { readonly last: K | undefined }>(
  start: K,
  read: (after: K) => Promise<P>,
): AsyncGenerator<P> {
  for (let after: K | undefined = start; after !== undefined; ) {
    const page: P = await read(after)
    yield page
    after = page.last
  }
}

/** Rows by a key; each group keeps the order of the rows. */
export function grouped<R>(rows: readonly R[], keyOf: (row: R) => string | null): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const key = keyOf(row) ?? ''
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
