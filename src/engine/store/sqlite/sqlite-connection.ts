import { statSync } from 'node:fs'
import BetterSqlite, { type Database, type Statement } from 'better-sqlite3'
import { type Compilable, Kysely } from 'kysely'
import type { RowValues } from '../../../schema/columns.js'
import { foldedText } from '../../../schema/folded-text.js'
import { SealedChanges } from '../books/sealed-changes.js'
import { BEGINS_WITH, CONTAINS } from '../database/differences.js'
import { compile, type Prepared } from '../database/prepared.js'
import type { AnyTables, Tx } from '../database/store.js'
import type { Tables } from '../database/tables.js'
import { InsertBuffer } from './insert-buffer.js'
import { GOES_ON, ListScan, type ScanOfList } from './list-scan.js'
import { SealedExecution } from './sealed-execution.js'
import { SqliteDialect } from './sqlite-dialect.js'
import { FileGone } from './sqlite-errors.js'
import { type SqliteStatement, SqliteStatements } from './sqlite-statements.js'
import { type CachedRows, knownOrRead, TransactionRowCache } from './transaction-row-cache.js'

/** Milliseconds for which this process blocks while another process recovers the database after a crash. */
const OPENING_PATIENCE = 5_000
/**
 * Milliseconds for which this process blocks during the commit of another process; then the queue tries
 * again.
 */
const WRITING_PATIENCE = 100
/**
 * Memory for pages of the writing connection, in KiB. A payment mostly uses the newest pages of each table.
 * Other pages come from the system's cache, which was as fast with 90,000 stored payments as 64 MiB here.
 */
const CACHE_KIBIBYTES = 16 * 1024
/** Maximum size of the write-ahead log, in bytes, after a checkpoint has emptied it. */
const LOG_LIMIT = 64 * 1024 * 1024

/**
 * Number of pages in the write-ahead log (8 MiB) after which the log is written into the database. A larger
 * log would merge more repeated writes of a page; 40 MiB would save a sixteenth of all writes. A small log
 * loses less if the log is lost.
 */
const CHECKPOINT_PAGES = 2_000

/**
 * Connection to a database file, which runs the statements of units of work. Prepared queries run directly;
 * all others go through Kysely.
 */
export class SqliteConnection implements Tx {
  readonly dialect = 'sqlite'
  readonly db: Kysely<Tables>
  readonly any: Kysely<AnyTables>
  /** Changes in sealed tables that are not sealed yet. */
  readonly unsealed = new SealedChanges()
  readonly changed = this.unsealed
  /** Inserted rows that are not written yet. */
  readonly insertBuffer = new InsertBuffer()
  /** Object that identifies the current writing transaction. */
  shared: object | undefined
  private readonly lists = new Map<number, ListScan>()
  private lastList = 0
  private readonly statements: SqliteStatements
  private readonly inode: number | undefined
  /** Statements that begin, end and mark transactions, by their SQL. */
  private readonly controls = new Map<string, Statement>()
  private readonly ready = new WeakMap<object, ReadyQuery<never>>()
  private readonly execution: SealedExecution
  private readonly known = new TransactionRowCache()

  private constructor(readonly database: Database) {
    defineSearches(database)
    this.statements = new SqliteStatements(database)
    this.inode = database.memory ? undefined : statSync(database.name).ino
    this.execution = new SealedExecution(this.unsealed, this.known, this.insertBuffer)
    const dialect = new SqliteDialect(database, this.statements, this.execution)
    this.db = new Kysely<Tables>({ dialect })
    this.any = new Kysely<AnyTables>({ dialect })
  }

  /**
   * Makes the connection that writes. Its commits are on the disk when COMMIT returns, even after a power
   * loss.
   */
  static writer(path: string): SqliteConnection {
    return new SqliteConnection(
      open(path, [
        'journal_mode = WAL',
        'synchronous = FULL',
        'fullfsync = ON',
        `cache_size = -${CACHE_KIBIBYTES}`,
        // Savepoints keep the old pages in memory, not in a file that every commit would write.
        'temp_store = MEMORY',
        `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
        `journal_size_limit = ${LOG_LIMIT}`,
        `busy_timeout = ${WRITING_PATIENCE}`,
      ]),
    )
  }

  /** Makes a connection that cannot change data. It sees the data committed before its read began. */
  static reader(path: string): SqliteConnection {
    const connection = new SqliteConnection(open(path, ['query_only = ON']))
    connection.database.function(GOES_ON, (list: number) => {
      connection.lists.get(list)?.expectTime()
      return 1
    })
    return connection
  }

  /** Makes a separate database in memory, which is gone when it is closed. */
  static inMemory(): SqliteConnection {
    return new SqliteConnection(new BetterSqlite(':memory:'))
  }

  async run<P extends object, R>(query: Prepared<P, R>, params: P): Promise<R[]>
  async run<P extends object>(query: Prepared<P, unknown>, params: P): Promise<unknown[]> {
    const { statement, bind, known } = this.readyQuery(query)
    const parameters = bind(params)
    if (query.answersValues) return this.execution.values(statement, parameters)
    if (!known || !this.database.inTransaction) return this.execution.rows(statement, parameters)
    return knownOrRead(known, parameters[0], () => this.execution.rows(statement, parameters))
  }

  async values(query: Compilable): Promise<RowValues[]> {
    const compiled = query.compile()
    return this.execution.values(this.statements.get(compiled), compiled.parameters)
  }

  async change<P extends object>(query: Prepared<P, unknown>, params: P): Promise<number> {
    const { statement, bind } = this.readyQuery(query)
    return this.execution.change(statement, bind(params))
  }

  /** Runs `work` on this connection for a list, with limits on scanning. */
  async scanning<T>(reading: Omit<ScanOfList, 'database'>, work: (tx: Tx) => Promise<T>): Promise<T> {
    const list = ++this.lastList
    const scan = new ListScan({ ...reading, database: this.database }, list)
    this.lists.set(list, scan)
    try {
      const { dialect, db, any } = this
      const run = this.run.bind(this)
      const values = this.values.bind(this)
      const change = this.change.bind(this)
      return await work({ dialect, db, any, scan, run, values, change })
    } finally {
      this.lists.delete(list)
    }
  }

  /** Number of executed statements that may have changed data. */
  get writes(): number {
    return this.execution.writes
  }

  /** Throws if the path no longer leads to the open file. */
  expectInPlace(): void {
    if (statSync(this.database.name, { throwIfNoEntry: false })?.ino !== this.inode) throw new FileGone()
  }

  /** Runs a statement that controls a transaction, such as begin, savepoint or commit. */
  control(sql: string): void {
    this.known.forget()
    if (sql === 'begin immediate') this.shared = {}
    const control = this.controls.get(sql) ?? this.database.prepare(sql)
    this.controls.set(sql, control)
    control.run()
  }

  close(): void {
    this.database.close()
  }

  private readyQuery<P extends object, R>(query: Prepared<P, R>): ReadyQuery<P> {
    const ready = this.ready.get(query)
    if (ready) return ready
    const { sql, statement: typed, bind, given } = compile(query, this.db)
    const statement = this.statements.get({ sql, query: typed.node })
    const known = this.knownTo(statement, given.length)
    const created = { statement, bind, known }
    this.ready.set(query, created)
    return created
  }

  /** Cache for a read of whole rows by their id, or for a select from one table without given values. */
  private knownTo({ byId, locks, verb, reads }: SqliteStatement, given: number): CachedRows | undefined {
    if (locks !== 'none' || verb !== 'select' || reads === 'any') return undefined
    const [table, ...others] = reads
    if (table === undefined || others.length > 0) return undefined
    return given === 0 || (given === 1 && byId?.isWhole) ? this.known.of(table) : undefined
  }
}

/** Prepared query, with the statement that runs it on this connection. */
interface ReadyQuery<P extends object> {
  readonly statement: SqliteStatement
  bind(params: P): unknown[]
  /** Rows found in the current transaction; undefined if they are not cached. */
  readonly known: CachedRows | undefined
}

function open(path: string, pragmas: readonly string[]): Database {
  const database = new BetterSqlite(path, { fileMustExist: true, timeout: OPENING_PATIENCE })
  try {
    for (const pragma of ['foreign_keys = ON', ...pragmas]) database.pragma(pragma)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Defines the functions that search texts. `part` is already folded. Null never matches. */
function defineSearches(database: Database): void {
  const define = (name: string, isFound: (text: string, part: string) => boolean) =>
    database.function(name, { deterministic: true }, (text: string | null, part: string) =>
      text === null ? null : Number(isFound(foldedText(text), part)),
    )
  define(CONTAINS, (text, part) => text.includes(part))
  define(BEGINS_WITH, (text, part) => text.startsWith(part))
}
