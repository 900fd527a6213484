import type { ResourceModel } from '../../../model/resource-model.js'
import { activity } from '../../../resources/activity.js'
import { type Row, tableColumnsOf } from '../../../schema/columns.js'
import type { Input } from '../../../schema/types.js'
import { insertRows } from '../../store/database/insert-rows.js'
import type { Tx } from '../../store/database/store.js'
import { changedAttributes } from './changed-attributes.js'
import { type ChangedRow, changedRows, type LoggedWork } from './changed-rows.js'
import { type Deed, moneyMoved } from './money-moved.js'
import { isIn, processingIdOf, statusOf } from './object-facts.js'
import { doerOf, type Occasion } from './occasion.js'

/** What a request was about: its objects, what it did with their money, and its validated input. */
export interface Subject {
  /** The resource of its objects; undefined for an admin operation. */
  readonly resource?: ResourceModel | undefined
  /** The object that its path names. */
  readonly id?: string | undefined
  /** Objects that it has written, in the order of the input. */
  readonly written: readonly string[]
  /** One for each object, or one for all. */
  readonly inputs: readonly Input[]
  readonly deed: Deed
}

/** The lines of activity of one unit of work, written with its changes: one for each object that it was about. */
export class ActivityLog {
  private readonly from: number

  constructor(
    private readonly tx: Tx,
    private readonly occasion: Occasion,
  ) {
    this.from = tx.changed?.count ?? 0
  }

  /** Writes the lines, unless no row that needs one has changed. */
  async write(work: LoggedWork, subject?: Subject): Promise<void> {
    const rows = changedRows(work, this.tx.changed?.since(this.from) ?? [])
    if (rows.size === 0) return
    const ids = objectIds(rows, subject)
    const own = new Set(ids)
    // The first line names what else was changed.
    const others = [...rows.values()].filter(({ id }) => !own.has(id))
    const lines = ids.map((id, index) =>
      this.line(work, id, rows.get(id), index === 0 ? others : [], subject),
    )
    await insertRows(this.tx, 'admin_activity', COLUMNS, lines)
  }

  private line(
    work: LoggedWork,
    id: string,
    row: ChangedRow | undefined,
    others: readonly ChangedRow[],
    subject: Subject | undefined,
  ): Row {
    const { through, requestId, action, reason = null } = this.occasion
    const { now, realNow } = work
    const resource = row?.resource ?? subject?.resource
    const after = row?.after ?? (resource && work.cachedRow(resource.table, id))
    const input = subject && inputOf(subject, id)
    const changed = changedAttributes(row, others)
    return {
      id: work.newId(activity.prefix),
      ...doerOf(this.occasion),
      through,
      request_id: requestId ?? null,
      action: action ?? actionOf(row),
      ...moneyOf(work, subject, input, after),
      object_id: id,
      others: others.length === 0 ? null : JSON.stringify(others.map((other) => other.id)),
      processing_id: processingIdOf(work, [...(resource && after ? [{ resource, after }] : []), ...others]),
      reason: typeof input?.reason === 'string' ? input.reason : reason,
      outcome: resource && after ? statusOf(resource, after, now) : null,
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

/** The objects of the lines: those of the request, otherwise the row that was changed first. */
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

function inputOf({ written, inputs }: Subject, id: string): Input {
  return (inputs.length === 1 ? inputs[0] : inputs[written.indexOf(id)]) ?? {}
}

function actionOf(row: ChangedRow | undefined): string | null {
  if (!row) return null
  const { resource, isNew, after } = row
  if (isNew) return `create ${resource.name}`
  return `${(after.deleted_at ?? null) === null ? 'update' : 'delete'} ${resource.name}`
}

function moneyOf(
  work: LoggedWork,
  subject: Subject | undefined,
  input: Input | undefined,
  after: Row | undefined,
) {
  if (!subject || !input) return { verb: null, amount: null }
  return moneyMoved(subject.deed, input, after, (owner, attribute) =>
    isIn(work, owner, after?.[attribute] ?? null),
  )
}

function jsonOf(values: object): string | null {
  return Object.keys(values).length === 0 ? null : JSON.stringify(values)
}
