import { type Compilable, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Row, RowValues } from '../../../schema/columns.js'
import type { Prepared } from './prepared.js'
import type { Tables } from './tables.js'

export type SqlDialect = 'sqlite' | 'postgres'

/** Test and live have a database each. */
export type Environment = 'test' | 'live'

/** Tables known by name only, for the engine that serves every resource alike. */
export type AnyTables = { [table: string]: Row }

/** Runs queries that were compiled once. */
export interface Runs {
  /** Answers the rows of one. */
  run<P extends object, R>(query: Prepared<P, R>, params: P): Promise<R[]>
}

/** Changes of sealed tables that wait to be sealed. */
interface Unsealed {
  /** The leaf of a row that is among them. */
  leafOf(table: string, id: string): string | undefined
  /** Removes all and returns them, as the entries of few commits. */
  take(): readonly {
    readonly names: string
    readonly leaves: readonly string[]
    readonly control: boolean
  }[]
}

/** A row of a sealed table as a statement left it, or one that it removed. */
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

/** The changes of sealed rows in the order in which they were made. */
export interface RowChanges {
  /** How many there are: the point from which `since` answers later ones. */
  readonly count: number
  since(count: number): readonly RowChange[]
}

/** Compares rows that are about to be used with their newest seals. */
export interface SealChecks {
  /**
   * Problem of a row in words; undefined if it is as it was sealed last, or lawfully missing. `seen` is the end of the log
   * (`logEnd`) in the statement that read the row. Throws `OutdatedRead` where the row must be read again,
   * and a `StoreError` where the log itself is not as it was.
   */
  problem(
    database: Runs & Pick<Tx, 'unsealed'>,
    row: { readonly table: string; readonly id: string; readonly row: Row | undefined },
    seen?: string,
  ): Promise<string | undefined>
}

/** A row was read before others that its check needs, and something was sealed in between. */
export class OutdatedRead extends Error {
  constructor() {
    super('Something was sealed while a row was read')
    this.name = 'OutdatedRead'
  }
}

/** A connection inside one unit of work or one consistent read. */
export interface Tx extends Runs {
  readonly dialect: SqlDialect
  /** Typed queries, for rules that know their tables. */
  readonly db: Kysely<Tables>
  /** The same connection, for code that gets its table from a declaration. */
  readonly any: Kysely<AnyTables>
  /** Answers the rows of a query as lists of values, in the order in which it selects them. */
  values(query: Compilable): Promise<RowValues[]>
  /** Runs a compiled statement; answers how many rows it changed. */
  change<P extends object>(query: Prepared<P, unknown>, params: P): Promise<number>
  /** Changes of this transaction in sealed tables that are not sealed yet. */
  readonly unsealed?: Unsealed
  /** Changes of sealed rows; where works share a transaction one after another, those of the works before as well. */
  readonly changed?: RowChanges
  /** The same for works that share a transaction in which they write, and another one for the next. */
  readonly shared?: object
  /** How a list reads large tables, where the database does not see to that itself (SQLite). */
  readonly scan?: Scan
}

/**
 * How a list reads large tables without keeping a snapshot for long: each statement has little time, and what takes
 * longer is read slice by slice. Slices are in one snapshot while that is young; then the next one is taken, so
 * that each row is read once, and each as it was at some moment of the reading.
 */
export interface Scan {
  /** SQL that holds for each row of a table under an alias, and ends the statement whose time is over or that nobody waits for. */
  goesOn(alias: string, table: string): RawBuilder<SqlBool>
  /** What `read` answers; nothing when that takes longer than a statement may. */
  attempt<T>(read: () => Promise<T>): Promise<{ readonly answer: T } | undefined>
  /** Reads a table named `t` slice by slice, each row in one of them. Throws a `StoreError` when one row takes too long. */
  slices(table: string, read: (isInside: RawBuilder<SqlBool>) => Promise<void>): Promise<void>
}

export interface ReadOptions {
  /** It may take long: it has connections of its own and a limit of time (PostgreSQL), or reads in scan (SQLite). */
  readonly list?: boolean
  /** Whether somebody still waits for the list (SQLite). */
  readonly isAwaited?: () => boolean
}

export interface WriteOptions {
  /** Runs everything, answers, and rolls back (a dry run). */
  readonly discard?: boolean
  /** Nobody waits for its answer, so that it may wait for others for longer (PostgreSQL). */
  readonly patient?: boolean
  /**
   * It is one of many of which several are asked for at once, and no client waits for it by itself: they have few places of
   * their own, and leave the others to clients (PostgreSQL).
   */
  readonly background?: boolean
  /** It mostly inserts, and may share a transaction with others like it (PostgreSQL): there are many of them at once. */
  readonly together?: boolean
}

/**
 * The database of one environment. A query that it runs by itself sees what is committed when it begins, and changes
 * nothing: what one statement answers needs no unit of work around it.
 */
export interface Store extends Runs {
  readonly dialect: SqlDialect
  /** Missing where the database is only looked at. */
  readonly seals?: SealChecks | undefined
  /** Committed data only; changes nothing. */
  read<T>(work: (tx: Tx) => Promise<T>, options?: ReadOptions): Promise<T>
  /**
   * The only way to change anything: everything in `work` commits or nothing does, and the promise
   * resolves after the commit is durable. Works run one after another on SQLite and may share a commit;
   * `work` must await nothing but its own queries, and may run again after a conflict on PostgreSQL.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  close(): Promise<void>
}

/**
 * Throws a `StoreError` when nothing can be written now: the database is read-only, locked or taken away. Changes
 * nothing.
 */
export async function expectWritable(store: Store): Promise<void> {
  await store.write(
    (tx) => tx.any.updateTable('migrations').set({ name: '' }).where(sql<boolean>`1 = 0`).execute(),
    { discard: true },
  )
}
