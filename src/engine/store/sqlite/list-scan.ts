import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Clock, stopwatch } from '../../../platform/clock.js'
import type { Scan } from '../database/store.js'
import { StoreError, tooSlow } from '../database/store-error.js'

/** How long a list keeps to itself what others need. */
export interface ScanLimits {
  readonly clock: Clock
  /** Milliseconds that a statement may scan rows for. */
  readonly statement: number
  /** Milliseconds after which a snapshot is given back before the next statement: the log cannot be emptied meanwhile. */
  readonly snapshot: number
  /** Rows of a slice. */
  readonly rows: number
  /** Every so many rows a statement looks whether it may go on; a power of two. */
  readonly unwatched: number
}

/** A snapshot lasts for a second and a half, and what it takes to sort what half a second of scanning found. */
export const USUAL_SCAN: ScanLimits = {
  clock: stopwatch,
  statement: 500,
  snapshot: 1_000,
  rows: 20_000,
  unwatched: 1_024,
}

/** Ends a statement that has scanned rows for as long as it may. */
class ScanEnded extends Error {}

/** What a statement asks, every so many rows: it throws what ends the statement. */
export const GOES_ON = 'payctl_goes_on'

/** What a list reads. */
export interface ScanOfList {
  readonly database: Database
  readonly limits: ScanLimits
  readonly isAwaited: () => boolean
  /** Takes another snapshot. */
  readonly renew: () => Promise<void>
}

/**
 * The scan of one list. A statement of SQLite cannot be interrupted from outside, so that it asks by itself whether it
 * may go on.
 */
export class ListScan implements Scan {
  private since: number
  private end = Number.POSITIVE_INFINITY

  constructor(
    private readonly reading: ScanOfList,
    /** What the connection knows this list by. */
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

  /** Throws what ends a statement that is under way. */
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
      `select ${key} from "${table}" where ${key} >= ? order by ${key} limit 1 offset ?`,
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

  /** What the rows of a table are stored in the order of. */
  private keyOf(table: string): 'rowid' | 'id' {
    const { database } = this.reading
    const known = clustered.get(database) ?? new Set(clusteredTables(database))
    clustered.set(database, known)
    return known.has(table) ? 'id' : 'rowid'
  }
}

type Key = string | number

/** SQLite would rather use another index, whose rows it would read for each slice anew, if it thought a slice large. */
function between(key: Expression<unknown>, from: Key, to: Key | undefined): RawBuilder<SqlBool> {
  const begin = sql<SqlBool>`likelihood(${key} >= ${from}, 0.0001)`
  return to === undefined ? begin : sql<SqlBool>`${begin} and likelihood(${key} < ${to}, 0.0001)`
}

const clustered = new WeakMap<Database, ReadonlySet<string>>()

function clusteredTables(database: Database): string[] {
  return database.prepare<[], string>('select name from pragma_table_list where wr = 1').pluck().all()
}
