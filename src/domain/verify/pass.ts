import { type SelectQueryBuilder, sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import { using } from '../../engine/store/database/raw-use.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { Finding } from './finding.js'

/** What a page of rows came to. */
export interface Examined {
  readonly count: number
  readonly findings: readonly Finding[]
}

/** A page, and where the next one begins. */
export interface ExaminedPage extends Examined {
  /** The id of the last row that was looked at; undefined when none was left. */
  readonly last: string | undefined
}

/**
 * One pass over the rows of a table in the order of their ids, page by page, so that a million of them need no memory and
 * nobody waits. Each page is one consistent read.
 */
export interface Pass {
  /** What is looked at, in words. */
  readonly of: string
  examine(work: Work, after: string): Promise<ExaminedPage>
}

/** How many rows are looked at together. */
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

/** How many rows a page has whose check the database makes itself, and answers only what is wrong. */
const CHECKED_PAGE = 2_000

/** Where such a page of a table ends after an id, and how many rows it has. */
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

/** Pages one after another, each read from where the one before ended, until one has no end. */
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

/** Rows by a key, each group in the order the rows came. */
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
