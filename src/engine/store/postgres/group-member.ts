import { Kysely, PostgresDialect } from 'kysely'
import { SealedChanges } from '../books/sealed-changes.js'
import type { Prepared } from '../database/prepared.js'
import type { AnyTables, Tx } from '../database/store.js'
import type { Tables } from '../database/tables.js'
import { type GroupedRead, type GroupedWrite, groupedStatement } from './grouped-statement.js'
import type { PostgresConnection } from './postgres-connection.js'

/** What a unit of work of a group reads. The same statement of several of them is sent once, and then each is answered. */
export interface PendingRead {
  readonly member: GroupMember
  readonly query: object
  /** The name by which the database knows the query. */
  readonly name: string
  readonly way: GroupedRead['way']
  readonly values: readonly unknown[]
  /** Asks it by itself. */
  alone(): Promise<unknown[]>
  answer(rows: unknown[]): void
  refuse(error: unknown): void
}

/** New rows of a member, which nobody sees before all of the group have decided. */
export interface Write {
  readonly query: object
  readonly statement: GroupedWrite
  readonly values: readonly unknown[]
  /** Writes them by themselves. */
  alone(): Promise<unknown>
  /** Notes for the books what is written together with others. */
  note(): void
}

/** A unit of work cannot go on in its group: it is run again by itself. */
class LeavesGroup extends Error {
  constructor() {
    super('A unit of work has left its group')
    this.name = 'LeavesGroup'
  }
}

/**
 * What one unit of work of a group does on the connection that all of them share. It reads what is committed, keeps
 * what it inserts to itself, and leaves the group for anything else. Once it has left, whatever becomes of it is
 * disregarded.
 */
export class GroupMember implements Tx {
  readonly dialect = 'postgres'
  readonly writes: Write[] = []
  /** What the work inserts into sealed tables, which the connection has noted only when it is written. */
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

  /** Nothing is known of a query that is not prepared, so that none runs in a group. */
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

  /** It is to be run again by itself; what it asks from here on is refused. */
  leave(): Error {
    this.isGone = true
    return new LeavesGroup()
  }

  private understood<P extends object>(query: Prepared<P, unknown>, params: P) {
    if (this.isGone) throw this.leave()
    const named = this.connection.named(query)
    return { named, statement: groupedStatement(query, named), values: named.bind(params) }
  }

  /** Whether a statement may read what the work has written, which is not there yet. */
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
