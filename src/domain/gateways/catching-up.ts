import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { CatchUpRow } from '../../engine/store/database/tables.js'

/** Id of the only row. It exists from a restore until gateways have reported the payments that the backup lacks. */
const ID = 'catch_up'

/** An open catch-up: the time since which gateways are queried, or the reason why this time is unknown. */
export type CatchUp = Pick<CatchUpRow, 'since'> | { readonly problem: string }

/**
 * The open catch-up of an environment; undefined if there is none. A catch-up whose row was changed or removed outside
 * payctl is still open.
 */
export async function openCatchUp(work: Work): Promise<CatchUp | undefined> {
  const row = await work.tx.db.selectFrom('catch_ups').selectAll().where('id', '=', ID).executeTakeFirst()
  const problem = await work.sealProblem('catch_ups', ID, row)
  return problem === undefined ? row : { problem }
}

/**
 * Begins a catch-up: no operation is sent to gateways until their operations since `since` are known. Datetimes (UTC).
 */
export async function beginCatchUp({ db }: Tx, since: string, now: string): Promise<void> {
  await db
    .insertInto('catch_ups')
    .values({ id: ID, since, restored_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ since }))
    .execute()
}

/** Ends the catch-up since a datetime. Returns whether it was open: another run may have begun it again since earlier. */
export async function endCatchUp({ db }: Tx, since: string): Promise<boolean> {
  const ended = db.deleteFrom('catch_ups').where('id', '=', ID).where('since', '=', since)
  const { numDeletedRows } = await ended.executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Whether operators still have to decide on payments that a restore has lost. */
export async function hasForgotten({ tx }: Work): Promise<boolean> {
  const [open] = await tx.run(openForgotten, {})
  return open !== undefined
}

const openForgotten = prepared<object, { id: string }>((db) =>
  db
    .selectFrom('admin_exceptions')
    .select('id')
    .where('status', '=', 'open')
    .where('kind', '=', 'forgotten_operation')
    .limit(1),
)
