import type { ExpressionBuilder } from 'kysely'
import { equalsInConstantTime } from '../../../platform/constant-time.js'
import type { Row } from '../../../schema/columns.js'
import { type Prepared, prepared } from '../database/prepared.js'
import { type AnyTables, OutdatedRead, type Runs, type SealChecks } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import type { SealLogRow, SealQueueRow, Tables } from '../database/tables.js'
import { ControlHistory } from './control-history.js'
import { logEndStatement, logEndText, readLogEnd, type SeenEnd } from './log-end.js'
import { type Hash, leafHash, rootOf } from './merkle.js'
import { entriesIn, type LoggedEntry } from './read-log.js'
import {
  chainHash,
  commitMac,
  type KeyedHash,
  type LogEnd,
  NOTHING_SEALED,
  type SealedCommits,
} from './seal-log.js'
import { isGenuine } from './seal-queue.js'
import { loggedEntries } from './sealed-changes.js'
import { type SealedTable, sealedName, sealedTableOf, sealedTables, writeRemoved } from './sealed-table.js'

/** Commits that are read at once. */
const PAGE = 200
/** Rows whose digests are remembered, with their values. */
const MAX_CHECKED = 1_000
/** How often a row is read again, while others are sealed. */
const ATTEMPTS = 5

/** What is known of the control rows at one end of the log. */
interface View {
  readonly end: SeenEnd
  /** Leaves that wait to be sealed, by name, the newest last (PostgreSQL). */
  readonly waiting: ReadonlyMap<string, readonly Hash[]> | undefined
}

type Reads = Parameters<SealChecks['problem']>[0]

/**
 * The newest digests of the rows that say who may do what, and where money or events go. They are read from the commits of
 * the log that changed such rows, each of which names the one before it under the home's key, and again from there on whenever
 * the log has more of them. So none can be hidden, and a row is used only as it was sealed last.
 */
export class SealedControl implements SealChecks {
  private readonly history = new ControlHistory()
  private end: LogEnd = NOTHING_SEALED
  private isLoaded = false
  private seen: { readonly text: string; readonly view: View } | undefined
  /** Rows that were as they were sealed last, after that commit. */
  private readonly checked = new Map<
    string,
    { readonly values: readonly unknown[]; readonly control: number }
  >()
  /** Ends when what reads the log now has read it. */
  private turn: Promise<unknown> = Promise.resolve()
  /** Reads what is committed now. */
  private fresh: Runs | undefined

  constructor(
    private readonly keyed: KeyedHash,
    private readonly environment: string,
  ) {}

  /** Sets where to read what is committed by now. */
  readWith(fresh: Runs): void {
    this.fresh = fresh
  }

  async problem(
    database: Reads,
    { table: tableName, id, row }: Parameters<SealChecks['problem']>[1],
    seen?: string,
  ): Promise<string | undefined> {
    const table = sealedTables().get(tableName)
    if (!table?.hasControl) throw new Error(`Rows of ${tableName} are not compared with their seals`)
    if (row === undefined) return await this.problemOfMissing(database, table, id)
    const values = table.valuesOf(row)
    if (seen !== undefined) return problemText(table, id, await this.isNewest(database, table, values, seen))
    const isNewest = await this.isNewest(database, table, values)
    if (isNewest) return undefined
    // It may have been changed lawfully since it was read.
    const now = await this.rowNow(database, table, id)
    const wasNewest = this.wasNewest(sealedName(table.object, id), leafHash(table.write(values)))
    const isReplaced = wasNewest && now && (await this.isNewest(database, table, now))
    return isReplaced ? undefined : problemText(table, id, isNewest)
  }

  /** Whether a leaf was the newest of a row until a moment ago. */
  private wasNewest(name: string, leaf: Hash): boolean {
    const { waiting, end } = this.seen?.view ?? {}
    const queued = waiting?.get(name)
    if (queued?.includes(leaf)) return true
    const wasSealed = queued && end && this.history.isDigest(name, leaf, end.control) === true
    return wasSealed || this.history.wasDigest(name, leaf)
  }

  /** Notes commits that this process has made after an end, which it need not read then. */
  follow({ from, commits }: SealedCommits): void {
    const last = commits.at(-1)
    if (!last || !this.isLoaded || !isSameEnd(from, this.end)) return
    for (const { end, entries } of commits) if (entries.control) this.note(loggedEntries(entries), end.number)
    this.end = last.end
    this.seen = { text: logEndText(last.end), view: { end: { ...last.end, queued: 0 }, waiting: undefined } }
  }

  /** Of a row that a caller does not see: it never was, was removed, or is there, perhaps marked as deleted. */
  private async problemOfMissing(
    database: Reads,
    table: SealedTable,
    id: string,
  ): Promise<string | undefined> {
    const values = await this.rowNow(database, table, id)
    if (values) return problemText(table, id, await this.isNewest(database, table, values))
    const removed = leafHash(writeRemoved(table.object, id))
    const isRemoved = await this.isLeaf(database, table, id, removed)
    return isRemoved === false
      ? `The ${table.object} ${id} was sealed and is gone: something other than payctl removed it`
      : undefined
  }

  private async rowNow(
    database: Runs,
    table: SealedTable,
    id: string,
  ): Promise<readonly unknown[] | undefined> {
    const [row] = await database.run(rowById(table.table), { id })
    return row && table.valuesOf(row)
  }

  private async isNewest(
    database: Reads,
    table: SealedTable,
    values: readonly unknown[],
    seen?: string,
  ): Promise<boolean | undefined> {
    const id = table.idOf(values)
    const name = sealedName(table.object, id)
    const known = this.checked.get(name)
    const control =
      this.seen?.text === seen && !this.seen?.view.waiting ? this.seen?.view.end.control : undefined
    if (known && known.control === control && isSameList(known.values, values)) return true
    const isNewest = await this.isLeaf(database, table, id, leafHash(table.write(values)), seen)
    const view = this.seen?.view
    if (isNewest && seen !== undefined && this.seen?.text === seen && view && !view.waiting) {
      if (this.checked.size >= MAX_CHECKED) this.checked.clear()
      this.checked.set(name, { values, control: view.end.control })
    }
    return isNewest
  }

  /** Whether a leaf is the newest of a row; undefined where the row was never sealed. */
  private async isLeaf(
    database: Reads,
    { object, table }: SealedTable,
    id: string,
    leaf: Hash,
    seen?: string,
  ): Promise<boolean | undefined> {
    const unsealed = database.unsealed?.leafOf(table, id)
    if (unsealed !== undefined) return unsealed === leaf
    const { end, waiting } = await this.viewOf(database, seen)
    const name = sealedName(object, id)
    const queued = waiting?.get(name)?.at(-1)
    if (queued !== undefined) return queued === leaf
    return this.history.isDigest(name, leaf, end.control)
  }

  /** What is known at an end of the log; at the one that a database has now unless it is given. */
  private async viewOf(database: Runs, seen?: string): Promise<View> {
    for (let attempt = 1; ; attempt++) {
      const text = seen ?? (await readEnd(database))
      if (text === this.seen?.text) return this.seen.view
      try {
        return await this.inTurn(async () => await this.viewAt(database, text))
      } catch (error) {
        if (!(error instanceof OutdatedRead) || seen !== undefined || attempt === ATTEMPTS) throw error
      }
    }
  }

  private async viewAt(database: Runs, text: string): Promise<View> {
    if (text === this.seen?.text) return this.seen.view
    const end = readLogEnd(text)
    await this.catchUp(database, end)
    const waiting = end.queued > 0 ? await this.waiting(database, text) : undefined
    const view = { end, waiting }
    if (end.number >= this.end.number) this.seen = { text, view }
    return view
  }

  private async inTurn<T>(read: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(read, read)
    this.turn = mine.catch(() => undefined)
    return await mine
  }

  /** Reads the commits until an end that changed control. Throws a `StoreError` where the log is not as it was. */
  private async catchUp(database: Runs, end: SeenEnd): Promise<void> {
    const known = this.end
    if (this.isLoaded && isSameEnd(end, known)) return
    await this.expectGenuine(database, end)
    if (end.number < known.number) return await this.expectOlderRead(end)
    if (end.control < known.control) throw this.differs(`commit ${end.number} hides one before it`)
    if (known.number > 0) {
      const [same] = await database.run(commitStatement, { id: known.number })
      if (same?.hash !== known.hash) throw this.differs(`commit ${known.number} is another one than before`)
    }
    await this.readControl(database, known.control, end.control)
    if (!this.isLoaded) this.history.begin(end.control)
    this.isLoaded = true
    this.end = { number: end.number, hash: end.hash, control: end.control }
  }

  /** Reads the commits that changed control after one of them, each of which names the one before it. */
  private async readControl(database: Runs, from: number, until: number): Promise<void> {
    for (let after = from; after < until; ) {
      const commits = await database.run(controlStatement, { after, until })
      for (const commit of commits) {
        if (commit.control_before !== after || !this.isGenuine(commit))
          throw this.differs(`commit ${commit.id} is not as it was made, or some before it are missing`)
        this.note(entriesIn(commit) ?? [], commit.id)
        after = commit.id
      }
      if (commits.length === 0) throw this.differs(`commit ${until} is missing`)
    }
  }

  private note(entries: readonly LoggedEntry[], commit: number): void {
    for (const { name, leaf } of entries) {
      const [object = ''] = name.split(' ', 1)
      if (sealedTableOf(object)?.hasControl) this.history.set(name, leaf, commit)
    }
  }

  /** An end before what is known is one of a read that began before; a log that has become shorter has it for every read. */
  private async expectOlderRead(end: SeenEnd): Promise<void> {
    const now = this.fresh && readLogEnd(await readEnd(this.fresh))
    if (!now || now.number < this.end.number)
      throw this.differs(`it ends with commit ${now?.number ?? end.number}, and had ${this.end.number}`)
    if (!this.history.knows(end.control)) throw new OutdatedRead()
  }

  /** Throws a `StoreError` where the last commit of a log was not made with the home's key. */
  async expectGenuine(database: Runs, { number, hash, control }: LogEnd): Promise<void> {
    if (number === 0) return
    const [commit] = await database.run(commitStatement, { id: number })
    if (!commit || commit.hash !== hash || commit.control !== control || !this.isGenuine(commit))
      throw this.differs(`commit ${number} is not as it was made`)
  }

  /** Whether a commit was made with the home's key at its place in the log, and has the digests that it was made with. */
  private isGenuine(commit: FollowingCommit): boolean {
    const leaves = entriesIn(commit)?.map(({ leaf }) => leaf)
    return (
      leaves !== undefined &&
      commit.hash === chainHash(commit.before ?? NOTHING_SEALED.hash, rootOf(leaves), commit.id) &&
      equalsInConstantTime(commit.mac, commitMac(commit, this.keyed))
    )
  }

  /** The leaves that wait at an end. Throws `OutdatedRead` where some were sealed while they were read. */
  private async waiting(database: Runs, text: string): Promise<ReadonlyMap<string, readonly Hash[]>> {
    const rows = await database.run(queueStatement, {})
    if ((await readEnd(database)) !== text) throw new OutdatedRead()
    const genuine = rows.filter((row) => isGenuine(row, this.keyed))
    const waiting = new Map<string, Hash[]>()
    for (const { name, leaf } of genuine.flatMap((row) => entriesIn(row) ?? []))
      waiting.set(name, [...(waiting.get(name) ?? []), leaf])
    return waiting
  }

  private differs(why: string): StoreError {
    return new StoreError(
      'books_differ',
      `The sealed books of ${this.environment} are not as they were: ${why}; see payctl verify --env ${this.environment}, and restore a backup (payctl restore)`,
    )
  }
}

function problemText({ object }: SealedTable, id: string, isNewest: boolean | undefined): string | undefined {
  if (isNewest) return undefined
  return isNewest === undefined
    ? `The ${object} ${id} was never sealed: something other than payctl wrote it`
    : `The ${object} ${id} is not what was sealed last: something other than payctl changed it`
}

function isSameEnd(one: LogEnd, other: LogEnd): boolean {
  return one.number === other.number && one.control === other.control && one.hash === other.hash
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((value, n) => value === other[n])
}

async function readEnd(database: Runs): Promise<string> {
  const [row] = await database.run(logEndStatement, {})
  return row?.log_end ?? logEndText(NOTHING_SEALED)
}

/** Statements for the row of a table by its id, deleted or not. */
const rowsById = new Map<string, Prepared<{ id: string }, Row>>()

function rowById(table: string): Prepared<{ id: string }, Row> {
  const known = rowsById.get(table)
  if (known) return known
  const made = prepared<{ id: string }, Row>((db, param) =>
    db.withTables<AnyTables>().selectFrom(table).selectAll().where('id', '=', param('id')),
  )
  rowsById.set(table, made)
  return made
}

/** A commit, with the hash of the one before it; null where there is none. */
interface FollowingCommit extends SealLogRow {
  readonly before: string | null
}

// Its columns are named: a read of a whole row by its id would be another kind of statement in a group.
const COLUMNS = ['id', 'hash', 'mac', 'control', 'control_before', 'entries', 'leaves'] as const

function hashBefore(eb: ExpressionBuilder<Tables, 'seal_log'>) {
  return eb
    .selectFrom('seal_log as earlier')
    .select('earlier.hash')
    .where('earlier.id', '=', eb('seal_log.id', '-', eb.lit(1)))
    .as('before')
}

const commitStatement: Prepared<{ id: number }, FollowingCommit> = prepared((db, param) =>
  db.selectFrom('seal_log').select(COLUMNS).select(hashBefore).where('id', '=', param('id')),
)

const controlStatement: Prepared<{ after: number; until: number }, FollowingCommit> = prepared((db, param) =>
  db
    .selectFrom('seal_log')
    .select(COLUMNS)
    .select(hashBefore)
    .where('control_before', '>=', param('after'))
    .where('id', '<=', param('until'))
    .orderBy('control_before')
    .limit(PAGE),
)

const queueStatement: Prepared<object, Omit<SealQueueRow, 'id'>> = prepared((db) =>
  db
    .selectFrom('seal_queue')
    .select(['entries', 'leaves', 'mac', 'control'])
    .where('control', 'is not', null)
    .orderBy('id'),
)
