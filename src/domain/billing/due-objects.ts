import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'

/** Id of an object, and the datetime from which a job has to handle it. */
export interface DueObject {
  readonly id: string
  readonly due_at: string
}

/** Queries for the objects of a table that a job has to handle, in the order in which they are due. */
export interface DueObjects {
  /**
   * First moment after `after` (both milliseconds since 1970) at which an object is due; undefined when there is
   * none.
   */
  nextAfter(work: Work, after: number): Promise<number | undefined>
  /**
   * The next objects that are due at `until` (milliseconds since 1970) or earlier. `last` is the last object that the
   * previous call returned.
   */
  dueBy(work: Work, until: number, last?: DueObject): Promise<DueObject[]>
}

/** Maximum number of objects that one call of `dueBy` returns. */
const BATCH_SIZE = 100

/** Finds the due objects of a table. `column` has the datetime from which an object is due; an index covers it. */
export function dueObjects(
  table: 'invoices' | 'billing_schedules',
  column: 'collect_at' | 'bills_at',
): DueObjects {
  const at = sql.ref<string>(column)
  const firstAfter = prepared<{ after: string }, { due_at: string }>((db, param) =>
    db
      .selectFrom(table)
      .select(at.as('due_at'))
      .where(at, '>', param('after'))
      .where('deleted_at', 'is', null)
      .orderBy(at)
      .limit(1),
  )
  const dueAfter = prepared<{ until: string; id: string; at: string }, DueObject>((db, param) =>
    db
      .selectFrom(table)
      .select(['id', at.as('due_at')])
      .where(at, '<=', param('until'))
      .where(sql<boolean>`(${at}, id) > (${param('at')}, ${param('id')})`)
      .where('deleted_at', 'is', null)
      .orderBy(at)
      .orderBy('id')
      .limit(BATCH_SIZE),
  )
  return {
    async nextAfter({ tx }, after) {
      const [first] = await tx.run(firstAfter, { after: datetimeOf(after) })
      return first && millisecondsOf(first.due_at)
    },
    async dueBy({ tx }, until, last = { id: '', due_at: '' }) {
      return await tx.run(dueAfter, { until: datetimeOf(until), id: last.id, at: last.due_at })
    },
  }
}
