import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Clock, stopwatch } from '../../../platform/clock.js'
import type { Scan } from '../database/store.js'
import { StoreError, tooSlow } from '../database/store-error.js'

/** Limits on how long a list may occupy the connection and its snapshot. */
export interface ScanLimits {
  readonly clock: Clock
  /** Maximum milliseconds for which a statement may scan rows. */
  readonly statement: number
  /**
   * Milliseconds after which the snapshot is replaced before the next statement. The write-ahead log cannot
   * be emptied while a snapshot is in use.
   */
  readonly snapshot: number
  /** Number of rows in a slice. */
  readonly rows: number
  /** Number of rows between two checks whether a statement may go on; a power of two. */
  readonly unwatched: number
}

/**
 * Usual limits. A snapshot lasts at most 1.5 seconds, plus the time to sort the rows of half a second of
 * scanning.
 */
export const USUAL_SCAN: ScanLimits = {
  clock: stopwatch,
  statement: 500,
  snapshot: 1_000,
  rows: 20_000,
  unwatched: 1_024,
}

/** Error that ends a statement whose scanning time is over. */
class ScanEnded extends Error {}

/** SQL function that a statement calls regularly. It throws if the statement must end. */
export const GOES_ON = 'payctl_goes_on'

/** Connection and limits of a list's reads. */
export interface ScanOfList {
  readonly database: Database
  readonly limits: ScanLimits
  readonly isAwaited: () => boolean
  /** Takes a new snapshot. */
  readonly renew: () => Promise<void>
}

/**
 * Scan of one list. A statement of SQLite cannot be interrupted from outside, so it checks regularly
 * whether it may go on.
 */
export class ListScan implements Scan {
  private since: number
  private end = Number.POSITIVE_INFINITY

  constructor(
    private readonly reading: ScanOfList,
    /** Number of the list on its connection. */
    private readonly id: number,
  ) {
    this.since = reading.limits.clock.now()
  }

  goesOn(alias: string, table: string): RawBuilder<SqlBool> {
    const ask = sql<SqlBool>`${sql.raw(GOES_ON)}(${this.id})`
    if (this.keyOf(table) === 'id') return ask
    const mask = sql.lit(this.reading.limits.unwatched - 1)
    return sql<SqlBool>`((${sql.ref(`${alias}.rowid`)} & ${mask}) or ${ask})`
  }

  /** Throws if the running statement must end. */
  expectTime(): void {
    const { limits, isAwaited } = this.reading
    if (!isAwaited()) throw new StoreError('abandoned', 'Nobody waits for the list any longer.')
    if (limits.clock.now() >= this.end) throw new ScanEnded()
  }

  async attempt<T>(read: () => Promise<T>): Promise<{ readonly answer: T } | undefined> {
    const { clock, statement, snapshot } = this.reading.limits
    if (clock.now() - this.since >= snapshot) {
      await this.reading.renew()
      this.since = clock.now()
    }
    this.end = clock.now() + statement
    try {
      return { answer: await read() }
    } catch (error) {
      if (error instanceof ScanEnded) return undefined
      throw error
    } finally {
      this.end = Number.POSITIVE_INFINITY
    }
  }

  async slices(table: string, read: (isInside: RawBuilder<SqlBool>) => Promise<void>): Promise<void> {
    const key = this.keyOf(table)
    const { database, limits } = this.reading
    const seek = database.prepare<[Key, number], Key>(
      `select ${key} from "${table}" where ${key} >= +? order by ${key} limit 1 offset +?`,
    )
    seek.pluck()
    let size = limits.rows
    let from = seek.get(key === 'id' ? '' : 0, 0)
    while (from !== undefined) {
      const to = seek.get(from, size)
      const isInside = between(sql.ref(`t.${key}`), from, to)
      if (await this.attempt(() => read(isInside))) from = to
      else if (size === 1) throw tooSlow()
      else size = Math.ceil(size / 2)
      await nextTurn()
    }
  }

  /** Column in whose order the rows of a table are stored. */
  private keyOf(table: string): 'rowid' | 'id' {
    const { database } = this.reading
    const known = clustered.get(database) ?? new Set(clusteredTables(database))
    clustered.set(database, known)
    return known.has(table) ? 'id' : 'rowid'
  }
}

type Key = string | number

/**
 * Condition for the keys of a slice. It is marked as unlikely, because for a large slice SQLite would use
 * another index and read all its rows for each slice.
 */
function between(key: Expression<unknown>, from: Key, to: Key | undefined): RawBuilder<SqlBool> {
  const begin = sql<SqlBool>`likelihood(${key} >= ${from}, 0.0001)`
  return to === undefined ? begin : sql<SqlBool>`${begin} and likelihood(${key} < ${to}, 0.0001)`
}

const clustered = new WeakMap<Database, ReadonlySet<string>>()

function clusteredTables(database: Database): string[] {
  return database.prepare<[], string>('select name from pragma_table_list where wr = 1').pluck().all()
}
