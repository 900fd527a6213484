import type { Steps } from '../../../engine/core/write/rule.js'
import type { Work } from '../../../engine/core/write/work.js'
import { sealedTables } from '../../../engine/store/books/sealed-table.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { resources } from '../../../resources/resource-table.js'
import { type ServiceTable, serviceTables } from '../../../resources/service-tables.js'
import type { Row } from '../../../schema/columns.js'
import { digitsOfTime, idAlike } from '../../../schema/id-time.js'
import { parsedJson } from '../../../schema/json.js'
import { type Finding, findingsOf } from '../pass/finding.js'
import { type Examined, nextPage, pagesFrom } from '../pass/pass.js'
import { LineIndex, MAX_LINES } from './line-index.js'

/** Rows of a page: few columns of each are read. */
const LONG_PAGE = 2_000
/** Upper bound that is assumed for the average number of objects in a line of activity. */
const OBJECTS_PER_LINE = 2
/** Milliseconds by which ids and commits may be out of order: a unit of work that began earlier may commit later. */
const OVERTAKING = 120_000

/** Each row has a line of activity at the time of its creation, and one at the time of its newest change. */
export async function* activityLines(read: Steps['read']): AsyncGenerator<Examined> {
  const { lines, logged } = await read(async ({ tx, model }) => ({
    lines: await countLines(tx),
    logged: [...model.allLogged.map(ofResource), ...serviceRows()],
  }))
  const parts = Math.max(1, Math.ceil((lines * OBJECTS_PER_LINE) / MAX_LINES))
  for (let part = 0; part < parts; part++) {
    const found = new Lines(new LineIndex(part, parts))
    const pages = pagesFrom('', (after) => read(async (work) => await found.readAfter(work, after)))
    for await (const { count } of pages) yield { count: part === 0 ? count : 0, findings: [] }
    for (const each of logged) yield* rowsOf(read, each, found)
  }
}

async function countLines({ db }: Work['tx']): Promise<number> {
  const { lines } = await db
    .selectFrom('admin_activity')
    .select((eb) => eb.fn.countAll().as('lines'))
    .executeTakeFirstOrThrow()
  return Number(lines)
}

/** A table whose rows have lines of activity. */
interface LoggedRows {
  readonly table: string
  readonly columns: readonly string[]
  /** Whether the service made the row together with another object, whose line of activity counts for both. */
  isMadeFor(row: Row): boolean
  readonly hasChangeTimes: boolean
}

function ofResource({ table, follows, prefix }: ResourceModel): LoggedRows {
  // Internal bookkeeping also sets the change time of a gateway. The column is not sealed there, so it proves no change.
  const sealed = sealedTables().get(table)
  return {
    table,
    columns: ['id', 'created_at', 'modified_at', 'deleted_at', ...(follows ? [follows] : [])],
    isMadeFor: (row) => follows !== undefined && row.id === idAlike(prefix, String(row[follows])),
    hasChangeTimes: !sealed || sealed.columns.some(({ column }) => column === 'modified_at'),
  }
}

/** Tables without a resource whose rows have lines of activity and a time of creation. */
function serviceRows(): LoggedRows[] {
  return Object.entries<ServiceTable>(serviceTables)
    .filter(([, { activity, columns }]) => 'keeps' in activity && 'created_at' in columns)
    .map(([table]) => ({
      table,
      columns: ['id', 'created_at'],
      isMadeFor: () => false,
      hasChangeTimes: false,
    }))
}

async function* rowsOf(read: Steps['read'], logged: LoggedRows, lines: Lines): AsyncGenerator<Examined> {
  const { table, columns } = logged
  yield* pagesFrom('', (after) =>
    read(async (work) => {
      const rows = await nextPage(work.tx.any.selectFrom(table).select(columns), after, LONG_PAGE)
      const findings = await lines.findings(work, rows, logged)
      const last = rows.at(-1)?.id
      return { last: typeof last === 'string' ? last : undefined, count: 0, findings }
    }),
  )
}

/** The lines of activity that were read. Newer ones are read when a row seems to have none. */
class Lines {
  /** Lines with ids after this one may have been written since the others were read. */
  private since: string | undefined

  constructor(private readonly index: LineIndex) {}

  async readAfter({ tx, realMilliseconds }: Work, after: string) {
    this.since ??= resources.activity.prefix + digitsOfTime(realMilliseconds - OVERTAKING)
    const columns = ['id', 'object_id', 'others', 'created_at'] as const
    const lines = await nextPage(tx.db.selectFrom('admin_activity').select(columns), after, LONG_PAGE)
    for (const { object_id: id, others, created_at: at } of lines)
      for (const each of [id, ...idsIn(others)])
        if (each !== null && this.index.holds(each)) this.index.add(each, at)
    return { last: lines.at(-1)?.id, count: lines.length }
  }

  /**
   * Findings of rows without lines. Newer lines are read in the same consistent read as the rows, which sees every line
   * that was written with them.
   */
  async findings(work: Work, rows: readonly Row[], known: LoggedRows): Promise<Finding[]> {
    const own = rows.filter(({ id }) => this.index.holds(String(id)))
    const problemsOf = (row: Row) => this.problems(row, known)
    const missing = own.filter((row) => problemsOf(row).length > 0)
    if (missing.length === 0) return []
    const pages = pagesFrom(this.since ?? '', (after) => this.readAfter(work, after))
    for await (const _ of pages);
    return missing.flatMap((row) => findingsOf('activity', String(row.id), problemsOf(row)))
  }

  private problems(row: Row, { isMadeFor, hasChangeTimes }: LoggedRows): string[] {
    const { id, created_at: created, modified_at: changed, deleted_at: deleted } = row
    const hasLineOf = (at: unknown) => this.index.has(String(id), String(at))
    const hasOwnLine = !isMadeFor(row)
    // A deletion in the second of the creation is a change as well.
    const isChanged = hasChangeTimes && (changed !== created || deleted !== null)
    return [
      ...(!hasOwnLine || hasLineOf(created) ? [] : ['No line of activity says who created it']),
      ...(!isChanged || hasLineOf(changed) ? [] : [`No line of activity says who changed it at ${changed}`]),
    ]
  }
}

function idsIn(others: string | null): readonly string[] {
  const ids = others === null ? [] : parsedJson(others)
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}
