import { type Compilable, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Row, RowValues } from '../../../schema/columns.js'
import type { Prepared } from './prepared.js'
import type { Tables } from './tables.js'

export type SqlDialect = 'sqlite' | 'postgres'

/** Environment of a database: test and live have separate databases. */
export type Environment = 'test' | 'live'

/** Tables that are known only by name, for code that serves all resources. */
export type AnyTables = { [table: string]: Row }

/** Runs queries that were compiled once. */
export interface Runs {
  /** Runs a query and returns its rows. */
  run<P extends object, R>(query: Prepared<P, R>, params: P): Promise<R[]>
}

/** Changes of sealed tables that wait to be sealed. */
interface Unsealed {
  /** Leaf of a changed row; undefined if the row has no waiting change. */
  leafOf(table: string, id: string): string | undefined
  /** Removes all changes and returns them as the entries of a few commits. */
  take(): readonly {
    readonly names: string
    readonly leaves: readonly string[]
    readonly control: boolean
  }[]
}

/** Row of a sealed table after a statement, or row that a statement removed. */
export interface RowChange {
  readonly table: {
    readonly table: string
    readonly columns: readonly { readonly column: string }[]
    idOf(values: readonly unknown[]): string
    modifiedOf(values: readonly unknown[]): unknown
    controls(values: readonly unknown[]): boolean
  }
  readonly values: readonly unknown[]
  readonly removed?: true
}

/** Changes of sealed rows, in the order in which they were made. */
export interface RowChanges {
  /** Number of changes; `since(count)` returns those that follow. */
  readonly count: number
  since(count: number): readonly RowChange[]
}

/** Compares rows with their newest seals before they are used. */
export interface SealChecks {
  /**
   * Problem of a row as text; undefined if it equals its newest seal or is legitimately missing. `seen` is
   * the end of the log (`logEnd`) in the statement that read the row. Throws `OutdatedRead` if the row must
   * be read again, and a `StoreError` if the log itself was changed.
   */
  problem(
    database: Runs & Pick<Tx, 'unsealed'>,
    row: { readonly table: string; readonly id: string; readonly row: Row | undefined },
    seen?: string,
  ): Promise<string | undefined>
}

/**
 * Error for a row that cannot be checked: a change was sealed after the row was read and before its newest
 * seal was read.
 */
export class OutdatedRead extends Error {
  constructor() {
    super('Something was sealed while a row was read')
    this.name = 'OutdatedRead'
  }
}

/**
 * Maximum number of attempts to read rows with their seals. An attempt fails if other rows are sealed at the
 * same time.
 */
const READ_ATTEMPTS = 5

/** Reads rows with their seals, and reads them again after an `OutdatedRead`. */
export async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof OutdatedRead) || attempt === READ_ATTEMPTS) throw error
    }
  }
}

/** Connection inside one unit of work or one consistent read. */
export interface Tx extends Runs {
  readonly dialect: SqlDialect
  /** Typed queries, for rules that know their tables. */
  readonly db: Kysely<Tables>
  /** Queries on the same connection, for code that gets its table from a declaration. */
  readonly any: Kysely<AnyTables>
  /** Runs a query and returns each row as a list of values, in the order of selection. */
  values(query: Compilable): Promise<RowValues[]>
  /** Runs a compiled statement. Returns the number of changed rows. */
  change<P extends object>(query: Prepared<P, unknown>, params: P): Promise<number>
  /** Changes of this transaction in sealed tables that are not sealed yet. */
  readonly unsealed?: Unsealed
  /**
   * Changes of sealed rows. If units of work share a transaction one after another, the changes of earlier
   * ones are included.
   */
  readonly changed?: RowChanges
  /**
   * Object that is the same for all units of work in one shared transaction, and different for the next
   * transaction.
   */
  readonly shared?: object
  /**
   * Method to read large tables for a list; undefined if the database limits such reads itself
   * (PostgreSQL).
   */
  readonly scan?: Scan
}

/**
 * Reads large tables for a list without keeping a snapshot for long. Each statement has a time limit; a
 * longer read is split into slices. Slices share a snapshot until it is too old; then a new one is taken.
 * So each row is read once, as it was at some moment of the reading.
 */
export interface Scan {
  /**
   * SQL that is true for each row of a table under an alias. It ends the statement if its time is over or
   * no client waits for it any more.
   */
  goesOn(alias: string, table: string): RawBuilder<SqlBool>
  /** Result of `read`; undefined if it exceeds the time limit of a statement. */
  attempt<T>(read: () => Promise<T>): Promise<{ readonly answer: T } | undefined>
  /**
   * Reads a table named `t` slice by slice, with each row in one slice. Throws a `StoreError` if a single
   * row takes too long.
   */
  slices(table: string, read: (isInside: RawBuilder<SqlBool>) => Promise<void>): Promise<void>
}

export interface ReadOptions {
  /**
   * Whether the read may take long. It then uses separate connections with a time limit (PostgreSQL), or
   * `Scan` (SQLite).
   */
  readonly list?: boolean
  /** Whether a client still waits for the list (SQLite). */
  readonly isAwaited?: () => boolean
}

export interface WriteOptions {
  /** Whether the changes are rolled back after the answer is made (a dry run). */
  readonly discard?: boolean
  /**
   * Whether no client waits for the answer, so that it may wait longer for other transactions (PostgreSQL).
   */
  readonly patient?: boolean
  /**
   * Whether the unit of work is background work: one of many that run several at a time, and for which no
   * client waits. Background work has few connections and leaves the others to clients (PostgreSQL).
   */
  readonly background?: boolean
  /**
   * Whether the unit of work mostly inserts rows and may share a transaction with similar units of work, if
   * there are many at once (PostgreSQL).
   */
  readonly together?: boolean
}

/**
 * Database of one environment. A query that is run directly sees the data committed when it begins and must
 * not change any. A single statement needs no unit of work around it.
 */
export interface Store extends Runs {
  readonly dialect: SqlDialect
  /** Checks of rows against their seals; undefined if the database is only inspected. */
  readonly seals?: SealChecks | undefined
  /** Runs `work` on committed data, without changes. */
  read<T>(work: (tx: Tx) => Promise<T>, options?: ReadOptions): Promise<T>
  /**
   * Runs `work` as one unit: all of its changes are committed, or none. It is the only way to change data.
   *
   * The promise resolves after the commit is durable. On SQLite, units of work run one after another and
   * may share a commit. `work` must await only its own queries. On PostgreSQL it may run again after a
   * conflict.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  close(): Promise<void>
}

/** Throws a `StoreError` if no changes can be written now: the database is read-only, locked or gone. */
export async function expectWritable(store: Store): Promise<void> {
  await store.write(
    (tx) => tx.any.updateTable('migrations').set({ name: '' }).where(sql<boolean>`1 = 0`).execute(),
    { discard: true },
  )
}
