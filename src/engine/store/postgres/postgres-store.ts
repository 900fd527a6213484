import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { queuedEntries } from '../books/seal-queue.js'
import type { SealedBooks } from '../books/sealed-books.js'
import type { Prepared } from '../database/prepared.js'
import type { ReadOptions, SealChecks, Store, Tx, WriteOptions } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import { CommitGroups, type Sharing } from './commit-groups.js'
import { sendTogether } from './driver.js'
import { NamedQueries } from './named-queries.js'
import { BESIDE, connectTo, LISTS, USUAL } from './pool.js'
import { PostgresConnection } from './postgres-connection.js'
import {
  explainLostCommit,
  explainLostConnection,
  explainPostgresError,
  explainSlowList,
  isConflict,
} from './postgres-errors.js'
import { QueueSealer } from './queue-sealer.js'
import { countdown, Semaphore } from './semaphore.js'
import { type Joining, SharedTransaction } from './shared-transaction.js'

/**
 * Maximum number of runs of a unit of work after conflicts. `LONGEST_PAUSE` is the maximum of milliseconds
 * between two runs.
 */
const ATTEMPTS = 10
const LONGEST_PAUSE = 200
/**
 * Milliseconds that a unit of work waits for its turn; after that, the client should rather try again
 * later. Units of work that no client waits for have more time.
 */
const PATIENCE = 20_000
const LONG_PATIENCE = 60_000
/**
 * Milliseconds that a unit of work may wait for locked rows while it holds a connection. After a short wait
 * it returns the connection and runs again as one of the few that may wait longer.
 */
const SHORT_WAIT = 150
const LONG_WAIT = 4_000
const MAX_WAITING = 3
/**
 * Maximum connections of background work, and how many of them may wait for locked rows. The rest is left
 * to clients.
 */
const MAX_BACKGROUND = 4
const MAX_BACKGROUND_WAITING = 1

/** Store of one environment, in one schema of PostgreSQL. */
export class PostgresStore implements Store {
  readonly dialect = 'postgres'
  readonly seals: SealChecks | undefined
  private readonly connections = new WeakMap<PoolClient, PostgresConnection>()
  private readonly queries = new NamedQueries()
  private readonly usual: Connections
  private readonly lists: Connections
  private readonly beside: Connections
  private readonly others = { all: new Semaphore(USUAL.connections), waiting: new Semaphore(MAX_WAITING) }
  private readonly background = {
    all: new Semaphore(MAX_BACKGROUND),
    waiting: new Semaphore(MAX_BACKGROUND_WAITING),
  }
  private readonly sealer: QueueSealer | undefined
  private readonly groups = new CommitGroups((sharing) => this.runTogether(sharing))

  constructor(
    { pool, lists, beside }: { readonly pool: Pool; readonly lists: Pool; readonly beside: Pool },
    private readonly place: string,
    /** Undefined if the database is only inspected. */
    private readonly books?: SealedBooks,
  ) {
    this.usual = { pool, free: new Semaphore(USUAL.connections) }
    this.lists = { pool: lists, free: new Semaphore(LISTS.connections) }
    this.beside = { pool: beside, free: new Semaphore(BESIDE.connections) }
    books?.writeWith(this.write.bind(this))
    books?.control.readWith({ run: (query, params) => this.runAmong(this.beside, query, params) })
    this.seals = books?.control
    this.sealer = books && new QueueSealer(books, this.write.bind(this))
  }

  async run<P extends object, R>(query: Prepared<P, R>, params: P): Promise<R[]> {
    return await this.runAmong(this.usual, query, params)
  }

  private async runAmong<P extends object, R>(
    connections: Connections,
    query: Prepared<P, R>,
    params: P,
  ): Promise<R[]> {
    return await this.connected(connections, PATIENCE, async (client) => {
      let broken = false
      try {
        return await this.connectionOf(client).runAlone(query, params)
      } catch (error) {
        broken = !(await rolledBack(client))
        throw broken ? explainLostConnection(error, this.place) : error
      } finally {
        client.release(broken)
      }
    })
  }

  async read<T>(work: (tx: Tx) => Promise<T>, { list = false }: ReadOptions = {}): Promise<T> {
    if (!list) return await this.transaction({ begin: BEGIN_READ, end: 'commit', patience: PATIENCE }, work)
    try {
      return await this.readList(work)
    } catch (error) {
      throw explainSlowList(error, this.place)
    }
  }

  async write<T>(
    work: (tx: Tx) => Promise<T>,
    { discard = false, patient = false, background = false, together = false }: WriteOptions = {},
  ): Promise<T> {
    const left = countdown(patient ? LONG_PATIENCE : PATIENCE)
    if (!together || discard) return await this.apart(work, { discard, patient, background }, left)
    return await new Promise((resolve, reject) => {
      this.groups.join({
        left,
        run: async (tx) => {
          const answer = await work(tx)
          return () => resolve(answer)
        },
        apart: () => this.apart(work, { patient, background }, left).then(resolve, reject),
        fail: reject,
      })
    })
  }

  async close(): Promise<void> {
    await this.sealer?.close()
    await Promise.all([this.usual, this.lists, this.beside].map(({ pool }) => pool.end()))
  }

  /** Runs a unit of work in a separate transaction, and again after each conflict. */
  private async apart<T>(
    work: (tx: Tx) => Promise<T>,
    { discard = false, patient = false, background = false }: WriteOptions,
    left: () => number,
  ): Promise<T> {
    const { all, waiting } = background ? this.background : this.others
    const run = async (wait: number) => {
      const begin = beginWriting(wait)
      const end = discard ? 'rollback' : 'commit'
      return await this.among(all, left, () => this.transaction({ begin, end, patience: left() }, work))
    }
    let failure: unknown
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        // Only a few units of work may wait for locked rows, so that work on other rows finds a connection.
        return await (attempt === 1
          ? run(SHORT_WAIT)
          : this.among(waiting, left, () => run(patient ? left() : LONG_WAIT)))
      } catch (error) {
        if (!(error instanceof StoreError && isConflict(error.cause, attempt))) throw error
        failure = error
      }
      const rest = Math.min(2 ** attempt, LONGEST_PAUSE)
      if (left() <= rest) break
      await pause(rest)
    }
    throw failure
  }

  /** Runs units of work in one transaction. If the transaction fails, each unit runs in a separate one. */
  private async runTogether({ patience, take, decided }: Sharing): Promise<void> {
    let works: readonly Joining[] | undefined
    let group: SharedTransaction | undefined
    const begin = beginWriting(SHORT_WAIT)
    const failure = await this.transaction({ begin, end: 'commit', patience }, async (connection) => {
      works = take()
      group = new SharedTransaction(works, connection)
      await group.run(decided)
    }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (!failure) group?.settle()
    else if (failure.error instanceof StoreError && failure.error.problem === 'commit_unknown')
      group?.lose(failure.error)
    else if (group?.isRefusing(failure.error)) group.refuse(failure.error)
    else for (const work of works ?? take()) void work.apart()
  }

  /**
   * Reads a list with few round trips: the first statement is sent together with `begin`, and the end of
   * the transaction is not awaited.
   */
  private async readList<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { pool, free } = this.lists
    if (!(await free.take(PATIENCE))) throw this.isFull()
    const client = await connectTo(pool, this.place).catch((error: unknown) => {
      free.give()
      throw error
    })
    sendTogether(client)
    const [begun, read] = await Promise.allSettled([
      client.query(BEGIN_READ),
      work(this.connectionOf(client)),
    ])
    sendTogether(client)
    const ended = rolledBack(client)
    if (begun.status === 'fulfilled' && read.status === 'fulfilled') {
      // The client can be released now: its next user is answered after the rollback. The pool drops the
      // client if its connection is lost.
      client.release()
      free.give()
      return read.value
    }
    const isWhole = await ended
    client.release(!isWhole)
    free.give()
    const reason: unknown =
      begun.status === 'rejected' ? begun.reason : read.status === 'rejected' && read.reason
    throw isWhole ? explainPostgresError(reason, this.place) : explainLostConnection(reason, this.place)
  }

  private async among<T>(places: Semaphore, left: () => number, run: () => Promise<T>): Promise<T> {
    if (!(await places.take(left()))) throw this.isFull()
    try {
      return await run()
    } finally {
      places.give()
    }
  }

  private async transaction<T>(
    transaction: Transaction,
    work: (tx: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    return await this.connected(this.usual, transaction.patience, (client) =>
      this.inTransaction(client, transaction, work),
    )
  }

  /** Waits for a connection, which `work` releases. */
  private async connected<T>(
    { pool, free }: Connections,
    patience: number,
    work: (client: PoolClient) => Promise<T>,
  ): Promise<T> {
    if (!(await free.take(patience))) throw this.isFull()
    try {
      return await work(await connectTo(pool, this.place))
    } catch (error) {
      throw explainPostgresError(error, this.place)
    } finally {
      free.give()
    }
  }

  private async inTransaction<T>(
    client: PoolClient,
    { begin, end }: Transaction,
    work: (tx: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    let broken = false
    let isEnding = false
    try {
      await client.query(begin)
      const connection = this.connectionOf(client)
      connection.unsealed.backTo(0)
      connection.mayChange = begin !== BEGIN_READ
      const answer = await work(connection)
      isEnding = end === 'commit'
      const command = await this.end(client, connection, end)
      isEnding = false
      // PostgreSQL answers the commit of a failed transaction with ROLLBACK, not with an error.
      if (command.toLowerCase() !== end)
        throw new Error('A unit of work went on after a statement of it had failed')
      return answer
    } catch (error) {
      broken = !(await rolledBack(client))
      if (!broken) throw error
      throw isEnding && begin.includes('committed')
        ? explainLostCommit(error, this.place)
        : explainLostConnection(error, this.place)
    } finally {
      this.connectionOf(client).mayChange = false
      client.release(broken)
    }
  }

  private isFull(): StoreError {
    return new StoreError(
      'full',
      `Every connection to PostgreSQL at ${this.place} was in use for seconds; try again.`,
    )
  }

  /** Ends a transaction. A commit also writes the entries for the books. */
  private async end(client: PoolClient, connection: PostgresConnection, end: string): Promise<string> {
    if (end !== 'commit' || !this.books || connection.unsealed.count === 0)
      return (await client.query(end)).command
    await this.sealer?.expectSealable(connection)
    const { keyed } = this.books.options
    const queued = connection.unsealed.take().map((entries) => queuedEntries(entries, keyed))
    const command = await connection.commit(queued)
    this.sealer?.sealSoon()
    return command
  }

  private connectionOf(client: PoolClient): PostgresConnection {
    const known = this.connections.get(client)
    if (known) return known
    const created = new PostgresConnection(client, this.queries)
    this.connections.set(client, created)
    return created
  }
}

/** Pool of connections, with a semaphore for its users. */
interface Connections {
  readonly pool: Pool
  readonly free: Semaphore
}

interface Transaction {
  readonly begin: string
  readonly end: 'commit' | 'rollback'
  /** Milliseconds to wait for a connection. */
  readonly patience: number
}

const BEGIN_READ = 'begin isolation level repeatable read read only'

function beginWriting(lockTimeout: number): string {
  return `begin isolation level read committed; set local lock_timeout = ${lockTimeout}`
}

/**
 * Whether a connection could end its transaction. Otherwise the connection is dropped, and the server ends
 * the transaction.
 */
async function rolledBack(client: PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}
