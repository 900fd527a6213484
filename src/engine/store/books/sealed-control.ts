import { equalsInConstantTime } from '../../../platform/constant-time.js'
import type { Row } from '../../../schema/columns.js'
import { type Prepared, prepared } from '../database/prepared.js'
import { type AnyTables, OutdatedRead, type Runs, type SealChecks } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import { ControlHistory } from './control-history.js'
import {
  commitStatement,
  controlStatement,
  type FollowingCommit,
  queueStatement,
} from './control-statements.js'
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

/** Name of the object that records an operator's acceptance of the books in their current state. */
const ACCEPTANCE = 'books_acceptance'
/** Maximum number of rows whose values are kept as checked. */
const MAX_CHECKED = 1_000
/** Attempts to read the end of the log while other processes seal rows. */
const ATTEMPTS = 5

/** Control rows at one end of the log. */
interface View {
  /** Text of the end, as the database writes it. */
  readonly text: string
  readonly end: SeenEnd
  /** Sum of the numbers of waiting entries that were written with the home's key. */
  readonly genuine: number
  /** Leaves that wait to be sealed, by name, newest last (PostgreSQL); undefined if none waits. */
  readonly waiting: ReadonlyMap<string, readonly Hash[]> | undefined
}

type Reads = Parameters<SealChecks['problem']>[0]

/**
 * Newest digests of control rows: rows that grant rights, or direct money or events. They are read from those
 * commits of the log that changed control rows, and later commits are added when the log has grown. Each such
 * commit names the one before it under the home's key, so none can be hidden. A row is used only if it equals
 * its newest seal.
 */
export class SealedControl implements SealChecks {
  private history = new ControlHistory()
  /** Names of the acceptances of books in the log. */
  private acceptances = new Set<string>()
  private end: LogEnd = NOTHING_SEALED
  private isLoaded = false
  private seen: View | undefined
  /** Rows that were compared successfully, with the last control commit at that time. */
  private readonly checked = new Map<
    string,
    { readonly values: readonly unknown[]; readonly control: number }
  >()
  /** Promise that ends when the current read of the log has ended. */
  private turn: Promise<unknown> = Promise.resolve()
  /** Reads data that was committed before the call. */
  private fresh: Runs | undefined

  constructor(
    private readonly keyed: KeyedHash,
    private readonly environment: string,
  ) {}

  /** Sets the reader for data that was committed before the call. */
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
    // The service itself may have changed the row since it was read.
    const now = await this.rowNow(database, table, id)
    const wasNewest = this.wasNewest(sealedName(table.object, id), leafHash(table.write(values)))
    const isReplaced = wasNewest && now && (await this.isNewest(database, table, now))
    return isReplaced ? undefined : problemText(table, id, isNewest)
  }

  /** Whether a leaf was the newest one of a row until recently. */
  private wasNewest(name: string, leaf: Hash): boolean {
    const { waiting, end } = this.seen ?? {}
    const queued = waiting?.get(name)
    if (queued?.includes(leaf)) return true
    const wasSealed = queued && end && this.history.isDigest(name, leaf, end.control) === true
    return wasSealed || this.history.wasDigest(name, leaf)
  }

  /** Adds commits that this process has made after `from`, so that these commits need not be read. */
  follow({ from, commits }: SealedCommits): void {
    const last = commits.at(-1)
    if (!last || !this.isLoaded || !isSameEnd(from, this.end)) return
    for (const { end, entries } of commits) if (entries.control) this.note(loggedEntries(entries), end.number)
    this.end = last.end
    this.seen = viewWithoutQueue({ ...last.end, queued: 0 })
  }

  /**
   * Problem of a row that its caller did not find: it never existed, was removed, or is marked as deleted.
   */
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
    const view = this.seen
    const isSeen = view?.text === seen && !view?.waiting
    if (isSeen && known && known.control === view?.end.control && isSameList(known.values, values))
      return true
    const isNewest = await this.isLeaf(database, table, id, leafHash(table.write(values)), seen)
    const now = this.seen
    if (isNewest && now && now.text === seen && !now.waiting) {
      if (this.checked.size >= MAX_CHECKED) this.checked.clear()
      this.checked.set(name, { values, control: now.end.control })
    }
    return isNewest
  }

  /** Whether a leaf is the newest one of a row; undefined if the row was never sealed. */
  private async isLeaf(
    database: Reads,
    { object, table }: SealedTable,
    id: string,
    leaf: Hash,
    seen?: string,
  ): Promise<boolean | undefined> {
    const unsealed = database.unsealed?.leafOf(table, id)
    if (unsealed !== undefined) return unsealed === leaf
    const name = sealedName(object, id)
    const text = seen ?? (await readEnd(database))
    const view = await this.viewOf(database, text, seen !== undefined)
    const isNewest = this.isLeafIn(view, name, leaf)
    // The service itself may have changed the row between `seen` and the end of this view.
    if (!isNewest && seen !== undefined && seen !== view.text) throw new OutdatedRead()
    return isNewest
  }

  private isLeafIn({ waiting, end }: View, name: string, leaf: Hash): boolean | undefined {
    const queued = waiting?.get(name)?.at(-1)
    return queued === undefined ? this.history.isDigest(name, leaf, end.control) : queued === leaf
  }

  /** View at an end of the log. With `mayBeLater` it may be the view of a later end. */
  private async viewOf(database: Runs, text: string, mayBeLater: boolean): Promise<View> {
    if (text === this.seen?.text) return this.seen
    return await this.inTurn(async () => {
      let end = readLogEnd(text)
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const { seen } = this
        if (seen && (mayBeLater ? hasAll(seen, end) : seen.text === logEndText(end))) return seen
        const view = await this.readView(database, end)
        if (view) return view
        // The waiting entries were sealed after the end was read.
        end = readLogEnd(await readEnd(database))
      }
      throw new OutdatedRead()
    })
  }

  /**
   * Reads the log up to an end and the entries that wait there; the view may be a little later. Undefined
   * if no entries wait any more.
   */
  private async readView(database: Runs, end: SeenEnd): Promise<View | undefined> {
    const view = end.queued > 0 ? await this.readQueue(database) : viewWithoutQueue(end)
    if (!view) return undefined
    await this.catchUp(database, view.end)
    if (view.end.number >= this.end.number && !(this.seen && hasAll(this.seen, view.end))) this.seen = view
    return view
  }

  private async inTurn<T>(read: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(read, read)
    this.turn = mine.catch(() => undefined)
    return await mine
  }

  /**
   * Reads the control commits up to an end. Throws a `StoreError` if the log has changed, unless an
   * operator has accepted it since. Only a holder of the key file can seal an acceptance.
   */
  private async catchUp(database: Runs, end: SeenEnd): Promise<void> {
    try {
      await this.readOn(database, end)
    } catch (error) {
      if (!this.isLoaded || !(error instanceof StoreError)) throw error
      const anew = new SealedControl(this.keyed, this.environment)
      await anew.readOn(database, end)
      if ([...anew.acceptances].every((name) => this.acceptances.has(name))) throw error
      this.history = anew.history
      this.acceptances = anew.acceptances
      this.end = anew.end
      this.seen = undefined
      this.checked.clear()
    }
  }

  private async readOn(database: Runs, end: SeenEnd): Promise<void> {
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
    if (end.number > this.end.number) this.end = { number: end.number, hash: end.hash, control: end.control }
  }

  /** Reads the control commits after `from`; each of them names the one before it. */
  private async readControl(database: Runs, from: number, until: number): Promise<void> {
    for (let after = from; after < until; ) {
      const commits = await database.run(controlStatement, { after, until })
      for (const commit of commits) {
        if (commit.control_before !== after || !this.isGenuine(commit))
          throw this.differs(`commit ${commit.id} is not as it was made, or some before it are missing`)
        // `follow` may have added some of these commits already.
        if (commit.id > this.end.control) this.note(entriesIn(commit) ?? [], commit.id)
        after = commit.id
      }
      if (commits.length === 0) throw this.differs(`commit ${until} is missing`)
    }
  }

  private note(entries: readonly LoggedEntry[], commit: number): void {
    for (const { name, leaf } of entries) {
      const [object = ''] = name.split(' ', 1)
      if (sealedTableOf(object)?.hasControl) this.history.set(name, leaf, commit)
      if (object === ACCEPTANCE) this.acceptances.add(name)
    }
  }

  /**
   * Accepts an end that is older than the known end, if the read began before the log reached the known end.
   * Throws a `StoreError` if the log has become shorter, which every new read shows.
   */
  private async expectOlderRead(end: SeenEnd): Promise<void> {
    // The log may grow during the read, so its end is compared with the one that was known before.
    const { number: known } = this.end
    const now = this.fresh && readLogEnd(await readEnd(this.fresh))
    if (!now || now.number < known)
      throw this.differs(`it ends with commit ${now?.number ?? end.number}, and had ${known}`)
    if (!this.history.knows(end.control)) throw new OutdatedRead()
  }

  /** Throws a `StoreError` if the last commit of the log was not made with the home's key. */
  async expectGenuine(database: Runs, { number, hash, control }: LogEnd): Promise<void> {
    if (number === 0) return
    const [commit] = await database.run(commitStatement, { id: number })
    if (!commit || commit.hash !== hash || commit.control !== control || !this.isGenuine(commit))
      throw this.differs(`commit ${number} is not as it was made`)
  }

  /** Whether a commit was made with the home's key, at this place in the log and with these digests. */
  private isGenuine(commit: FollowingCommit): boolean {
    const leaves = entriesIn(commit)?.map(({ leaf }) => leaf)
    return (
      leaves !== undefined &&
      commit.hash === chainHash(commit.before ?? NOTHING_SEALED.hash, rootOf(leaves), commit.id) &&
      equalsInConstantTime(commit.mac, commitMac(commit, this.keyed))
    )
  }

  /** View with the entries that wait now; undefined if none waits. */
  private async readQueue(database: Runs): Promise<View | undefined> {
    const rows = await database.run(queueStatement, {})
    const text = rows[0]?.log_end
    if (text === undefined) return undefined
    const genuine = rows.filter((row) => isGenuine(row, this.keyed))
    const waiting = new Map<string, Hash[]>()
    for (const { name, leaf } of genuine.flatMap((row) => entriesIn(row) ?? []))
      waiting.set(name, [...(waiting.get(name) ?? []), leaf])
    return { text, end: readLogEnd(text), genuine: genuine.reduce((sum, { id }) => sum + id, 0), waiting }
  }

  private differs(why: string): StoreError {
    return new StoreError(
      'books_differ',
      `The sealed books of ${this.environment} are not as they were: ${why}; see payctl verify --env ${this.environment}, and restore a backup`,
    )
  }
}

function problemText({ object }: SealedTable, id: string, isNewest: boolean | undefined): string | undefined {
  if (isNewest) return undefined
  return isNewest === undefined
    ? `The ${object} ${id} was never sealed: something other than payctl wrote it`
    : `The ${object} ${id} is not what was sealed last: something other than payctl changed it`
}

function viewWithoutQueue(end: SeenEnd): View {
  return { text: logEndText(end), end, genuine: 0, waiting: undefined }
}

/** Whether a view includes all entries that waited at an end of the log; it may include later ones. */
function hasAll({ end, genuine }: View, other: SeenEnd): boolean {
  return isSameEnd(end, other) && (end.queued === other.queued || genuine > other.queued)
}

function isSameEnd(one: LogEnd, other: LogEnd): boolean {
  return one.number === other.number && one.control === other.control && one.hash === other.hash
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((value, n) => value === other[n])
}

async function readEnd(database: Runs): Promise<string> {
  const [row] = await database.run(logEndStatement, {})
  return row?.log_end ?? logEndText({ ...NOTHING_SEALED, queued: 0 })
}

/** Statements that read a row of a table by id, deleted or not. */
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
