import type { QueryConfig } from 'pg'
import type { InsertedRows } from '../database/inserted-rows.js'
import type { Write } from './group-member.js'

/** Rows for one table, from many units of work. */
interface Inserting {
  readonly query: object
  readonly writes: Write[]
}

/** Step of writing: many inserts as one statement, or a single one. */
export type WritingStep =
  | { readonly kind: 'together'; readonly statement: QueryConfig; readonly writes: readonly Write[] }
  | { readonly kind: 'alone'; readonly write: Write }

/**
 * Writes of many units of work in few steps. Inserts of the same kind are joined; the order within each
 * unit of work is kept.
 */
export function writingSteps(works: readonly (readonly Write[])[]): WritingStep[] {
  const steps: WritingStep[] = []
  let together: Inserting[] = []
  const close = () => {
    if (together.length > 0) steps.push(joined(together))
    together = []
  }
  for (const inserting of inserted(works)) {
    const [write] = inserting.writes
    if (write?.statement.rows) together.push(inserting)
    else {
      close()
      steps.push(...inserting.writes.map((each) => ({ kind: 'alone', write: each }) as const))
    }
  }
  close()
  return steps
}

/** Inserts grouped by statement; the order within each unit of work is kept. */
function inserted(works: readonly (readonly Write[])[]): Inserting[] {
  const all: Inserting[] = []
  for (const writes of works) {
    // Position of the unit's last insert: the next one joins that group or a later one.
    let last = -1
    for (const write of writes) {
      const found = all.findIndex(
        ({ query, writes: [first] }, index) =>
          index >= last && (query === write.query || isSame(first?.statement, write.statement)),
      )
      last = found < 0 ? last + 1 : found
      if (found < 0) all.splice(last, 0, { query: write.query, writes: [write] })
      else all[found]?.writes.push(write)
    }
  }
  return all
}

/** Whether two statements insert the same columns into the same table; their numbers of rows may differ. */
function isSame(one: Write['statement'] | undefined, other: Write['statement']): boolean {
  if (!one?.rows || !other.rows || one.table !== other.table) return false
  return signature(one.rows) === signature(other.rows)
}

function signature({ columns, replaced }: InsertedRows): string {
  return `${columns.join()} ${replaced?.join()}`
}

/** End of an insert that says how an existing row with the same id is handled. */
function conflictText({ replaced }: InsertedRows): string {
  if (!replaced) return ''
  const updates = replaced.map((column) => `"${column}" = "excluded"."${column}"`)
  return ` on conflict ("id") do update set ${updates.join(', ')}`
}

/** Joins the inserts into all tables in one statement. */
function joined(all: readonly Inserting[]): WritingStep {
  const values: string[] = []
  const inserts = all.flatMap(({ writes }) => {
    const [first] = writes
    if (!first?.statement.rows) return []
    const { table, rows } = first.statement
    values.push(rowsAsJson(rows.columns, writes))
    const columns = rows.columns.map((column) => `"${column}"`).join(', ')
    return `insert into "${table}" (${columns}) select ${columns} from json_populate_recordset(null::"${table}", $${values.length})${conflictText(rows)}`
  })
  const last = inserts.pop() ?? ''
  const before = inserts.map((insert, n) => `w${n} as (${insert})`)
  const text = before.length === 0 ? last : `with ${before.join(', ')} ${last}`
  return {
    kind: 'together',
    statement: { ...nameOf(text), text, values },
    writes: all.flatMap(({ writes }) => writes),
  }
}

/** Rows as a JSON list of objects. Nulls are left out, because most columns of most rows are null. */
function rowsAsJson(columns: readonly string[], writes: readonly Write[]): string {
  const rows: Record<string, unknown>[] = []
  for (const { values } of writes)
    for (let start = 0; start < values.length; start += columns.length) {
      const row: Record<string, unknown> = {}
      for (const [index, column] of columns.entries()) {
        const value = values[start + index]
        if (value !== null) row[column] = value instanceof Uint8Array ? bytesAsText(value) : value
      }
      rows.push(row)
    }
  return JSON.stringify(rows)
}

function bytesAsText(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

/** Maximum number of joined inserts that stay prepared on a connection. Rules make few different ones. */
const MAX_NAMED = 100
const names = new Map<string, string>()

function nameOf(text: string): { readonly name?: string } {
  const known = names.get(text)
  if (known !== undefined) return { name: known }
  if (names.size >= MAX_NAMED) return {}
  const name = `payctl_group_${names.size + 1}`
  names.set(text, name)
  return { name }
}
