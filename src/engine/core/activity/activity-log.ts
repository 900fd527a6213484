import type { ResourceModel } from '../../../model/resource-model.js'
import { activity } from '../../../resources/activity.js'
import { type Row, tableColumnsOf } from '../../../schema/columns.js'
import { insertRows } from '../../store/database/insert-rows.js'
import type { Tx } from '../../store/database/store.js'
import { changedAttributes } from './changed-attributes.js'
import { type ChangedRow, changedRows, type LoggedWork } from './changed-rows.js'
import { type Deed, type MoneyMoved, moneyMoved, NO_MONEY } from './money-moved.js'
import { processingIdOf, statusOf } from './object-facts.js'
import { doerOf, type Occasion } from './occasion.js'

/** Objects that the activity of a request is about. */
export interface Subject {
  /** Resource of the objects; undefined for an admin operation. */
  readonly resource?: ResourceModel | undefined
  /** Id of the object that the path names. */
  readonly id?: string | undefined
  /** Ids of the written objects, in the order of the input. */
  readonly written: readonly string[]
  /** Deed of an action or admin operation; it applies to all objects that the request writes. */
  readonly deed?: Deed | undefined
}

/** Line of activity that will be written. */
interface Line {
  readonly id: string
  readonly row: ChangedRow | undefined
  readonly deed: Deed | undefined
  readonly money: MoneyMoved
  /** Action of the line; by default the action of the occasion. */
  readonly action?: string | null | undefined
  /** Processing account that the line belongs to. */
  account: string | null
  /** Other changed rows that the line names. */
  readonly others: ChangedRow[]
}

/**
 * Lines of activity of one unit of work. They are written in the transaction of its changes. Each object of
 * the request gets a line. Another object gets a line if a nested write moved its money.
 */
export class ActivityLog {
  private readonly from: number
  /** Last generic operation on each object, by its id. */
  private readonly deeds = new Map<string, Deed>()

  constructor(
    private readonly tx: Tx,
    private readonly occasion: Occasion,
  ) {
    this.from = tx.changed?.count ?? 0
  }

  /** Notes a generic operation of a client or a rule. */
  note(id: string, deed: Deed): void {
    this.deeds.set(id, deed)
  }

  /** Writes the lines, unless no changed row needs a line. */
  async write(work: LoggedWork, subject?: Subject): Promise<void> {
    const rows = changedRows(work, this.tx.changed?.since(this.from) ?? [])
    if (rows.size === 0) return
    const lines: Line[] = []
    for (const id of objectIds(rows, subject))
      lines.push(await lineOf(work, id, rows, subject?.deed ?? this.deeds.get(id), subject))
    const isMoneyOfRequest = subject?.deed !== undefined && lines.some(({ money }) => money.verb !== null)
    if (!isMoneyOfRequest) lines.push(...(await this.nestedMoves(work, rows, lines)))
    nameOthers(work, rows, lines)
    const written = lines.map((line) => this.rowOf(work, line, subject))
    await insertRows(this.tx, 'admin_activity', COLUMNS, written)
  }

  /** Lines of other changed objects whose money was moved by generic operations. */
  private async nestedMoves(
    work: LoggedWork,
    rows: ReadonlyMap<string, ChangedRow>,
    lines: readonly Line[],
  ): Promise<Line[]> {
    const found: Line[] = []
    for (const [id, deed] of this.deeds) {
      if (deed.moves === 'nothing' || !rows.has(id) || lines.some((line) => line.id === id)) continue
      const line = await lineOf(work, id, rows, deed)
      if (line.money.verb !== null) found.push({ ...line, action: deed.action })
    }
    return found
  }

  private rowOf(
    work: LoggedWork,
    { id, row, deed, money, account, others, action = this.occasion.action ?? actionOf(row) }: Line,
    subject: Subject | undefined,
  ): Row {
    const { through, requestId, reason = null } = this.occasion
    const { now, realNow } = work
    const object = objectOf(work, id, row, subject)
    const changed = changedAttributes(row, others)
    return {
      id: work.newId(activity.prefix),
      ...doerOf(this.occasion),
      through,
      request_id: requestId ?? null,
      action,
      ...money,
      object_id: id,
      others: others.length === 0 ? null : JSON.stringify(others.map((other) => other.id)),
      processing_id: account,
      reason: typeof deed?.input.reason === 'string' ? deed.input.reason : reason,
      outcome: object ? statusOf(object.resource, object.after, now) : null,
      changed: changed.names.length === 0 ? null : JSON.stringify(changed.names),
      before: jsonOf(changed.before),
      after: jsonOf(changed.after),
      real_at: realNow === now ? null : realNow,
      attrs: null,
      created_at: now,
      modified_at: now,
      deleted_at: null,
    }
  }
}

const COLUMNS = tableColumnsOf(activity).map(({ name }) => name)

/** Ids of the objects with lines: those of the request; otherwise the row that was changed first. */
function objectIds(rows: ReadonlyMap<string, ChangedRow>, subject: Subject | undefined): readonly string[] {
  if (subject?.id !== undefined) return [subject.id]
  const [only, ...more] = subject?.written ?? []
  if (only !== undefined && more.length === 0) return [only]
  const listed = new Set(subject?.written)
  const { resource } = subject ?? {}
  const found = [...rows.values()].filter(
    (row) => listed.has(row.id) || (listed.size === 0 && row.resource.table === resource?.table),
  )
  return (found.length === 0 ? [...rows.values()].slice(0, 1) : found).map(({ id }) => id)
}

async function lineOf(
  work: LoggedWork,
  id: string,
  rows: ReadonlyMap<string, ChangedRow>,
  deed: Deed | undefined,
  subject?: Subject,
): Promise<Line> {
  const row = rows.get(id)
  const object = objectOf(work, id, row, subject)
  const account = object ? processingIdOf(work, object) : null
  const hasMoved = deed && deed.moves !== 'nothing'
  const money = hasMoved ? await moneyMoved(work, deed, row?.before ?? row?.after) : NO_MONEY
  return { id, row, deed, money, account, others: [] }
}

/** Current state of a line's object, even if this unit of work did not change the object. */
function objectOf(
  work: LoggedWork,
  id: string,
  row: ChangedRow | undefined,
  subject: Subject | undefined,
): Pick<ChangedRow, 'resource' | 'after'> | undefined {
  if (row) return row
  const after = subject?.resource && work.cachedRow(subject.resource.table, id)
  return after && subject.resource && { resource: subject.resource, after }
}

/**
 * Assigns each other changed row to a line of the row's processing account. No line then reveals rows of
 * another account. Adds a line if the account has none. Rows without an account go to the line whose object
 * references them, else to the first line.
 */
function nameOthers(work: LoggedWork, rows: ReadonlyMap<string, ChangedRow>, lines: Line[]): void {
  const own = new Set(lines.map(({ id }) => id))
  const others = [...rows.values()].filter(({ id }) => !own.has(id))
  const [first] = lines
  if (!first || others.length === 0) return
  const byAccount = new Map(lines.toReversed().map((line) => [line.account, line]))
  const naming = byAccount.size > 1 ? namingLines(lines) : undefined
  for (const other of others) {
    const account = processingIdOf(work, other)
    const line = account === null ? (naming?.get(other.id) ?? first) : byAccount.get(account)
    if (line) line.others.push(other)
    else if (first.account === null) {
      first.account = account
      first.others.push(other)
      byAccount.set(account, first)
    } else {
      const added = { id: other.id, row: other, deed: undefined, money: NO_MONEY, account, others: [] }
      lines.push(added)
      byAccount.set(account, added)
    }
  }
}

/**
 * Map from each value in the object of a line to that line. The values include the ids that the object
 * references.
 */
function namingLines(lines: readonly Line[]): ReadonlyMap<unknown, Line> {
  return new Map(
    lines.flatMap((line) => Object.values(line.row?.after ?? {}).map((value) => [value, line] as const)),
  )
}

function actionOf(row: ChangedRow | undefined): string | null {
  if (!row) return null
  const { resource, isNew, after } = row
  if (isNew) return `create ${resource.name}`
  return `${(after.deleted_at ?? null) === null ? 'update' : 'delete'} ${resource.name}`
}

function jsonOf(values: object): string | null {
  return Object.keys(values).length === 0 ? null : JSON.stringify(values)
}
