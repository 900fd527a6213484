import { Kysely, PostgresDialect } from 'kysely'
import { SealedChanges } from '../books/sealed-changes.js'
import type { Prepared } from '../database/prepared.js'
import type { AnyTables, Tx } from '../database/store.js'
import type { Tables } from '../database/tables.js'
import { type GroupedRead, type GroupedWrite, groupedStatement } from './grouped-statement.js'
import type { PostgresConnection } from './postgres-connection.js'

/**
 * Read of a unit of work in a group. If several units send the same statement, it is sent once and each is
 * answered.
 */
export interface PendingRead {
  readonly member: GroupMember
  readonly query: object
  /** Name under which the database has prepared the query. */
  readonly name: string
  readonly way: GroupedRead['way']
  readonly values: readonly unknown[]
  /** Runs the query for this unit of work only. */
  alone(): Promise<unknown[]>
  answer(rows: unknown[]): void
  refuse(error: unknown): void
}

/** New rows of a unit of work. They are not visible to others until the whole group has ended. */
export interface Write {
  readonly query: object
  readonly statement: GroupedWrite
  readonly values: readonly unknown[]
  /** Runs this insert separately. */
  alone(): Promise<unknown>
  /** Notes the rows for the books if they were written together with others. */
  note(): void
}

/** Error of a unit of work that cannot continue in its group and is run again in a separate transaction. */
class LeavesGroup extends Error {
  constructor() {
    super('A unit of work has left its group')
    this.name = 'LeavesGroup'
  }
}

/**
 * Unit of work on the connection that its group shares. It reads committed data and collects its inserts.
 * For anything else it leaves the group; after that, its results are ignored.
 */
export class GroupMember implements Tx {
  readonly dialect = 'postgres'
  readonly writes: Write[] = []
  /** Inserts into sealed tables; the connection notes them only when they are written. */
  readonly changed = new SealedChanges()
  private isGone = false

  constructor(
    private readonly connection: PostgresConnection,
    private readonly ask: (question: PendingRead) => void,
    readonly shared: object,
  ) {}

  get hasLeft(): boolean {
    return this.isGone
  }

  /** Refuses queries that are not prepared, because their effects are not known. */
  get db(): Kysely<Tables> {
    return new Kysely({ dialect: this.refusing() })
  }

  get any(): Kysely<AnyTables> {
    return new Kysely({ dialect: this.refusing() })
  }

  async run<P extends object, R>(query: Prepared<P, R>, params: P): Promise<R[]> {
    const { statement, values, named } = this.understood(query, params)
    if (statement?.kind !== 'read' || this.readsWritten(statement, values)) throw this.leave()
    return await new Promise<R[]>((resolve, reject) => {
      const alone = () => this.connection.run(query, params)
      const { name } = named
      const { way } = statement
      this.ask({
        member: this,
        query,
        name,
        way,
        values,
        alone,
        answer: (rows: R[]) => resolve(rows),
        refuse: reject,
      })
    })
  }

  async values(): Promise<never> {
    throw this.leave()
  }

  async change<P extends object>(query: Prepared<P, unknown>, params: P): Promise<number> {
    const { statement, values, named } = this.understood(query, params)
    if (statement?.kind !== 'write') throw this.leave()
    const { unsealed } = this.connection
    const changes = named.sealing?.changes(values, []) ?? []
    this.changed.add(changes)
    this.writes.push({
      query,
      statement,
      values,
      alone: () => this.connection.change(query, params),
      note: () => unsealed.add(changes),
    })
    return statement.rows?.count ?? 1
  }

  /** Leaves the group, to be run again separately. All later queries are refused. */
  leave(): Error {
    this.isGone = true
    return new LeavesGroup()
  }

  private understood<P extends object>(query: Prepared<P, unknown>, params: P) {
    if (this.isGone) throw this.leave()
    const named = this.connection.named(query)
    return { named, statement: groupedStatement(query, named), values: named.bind(params) }
  }

  /** Whether a statement may read rows that this unit of work has collected but not yet written. */
  private readsWritten({ way, reads }: GroupedRead, [id]: readonly unknown[]): boolean {
    if (way.by === 'id') return this.writes.some(({ values }) => values.includes(id))
    return this.writes.some(({ statement: { table } }) => reads.has(table))
  }

  private refusing(): PostgresDialect {
    const refuse = async () => {
      throw this.leave()
    }
    return new PostgresDialect({ pool: { connect: refuse, end: refuse, options: {} } })
  }
}
