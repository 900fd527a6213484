import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { CatchUpRow } from '../../engine/store/database/tables.js'

/** The id of the only row, which is there from a restore until gateways were asked what it has forgotten. */
const ID = 'catch_up'

/** What an environment has to catch up on; nothing where it has not. */
export async function openCatchUp({ db }: Tx): Promise<CatchUpRow | undefined> {
  return await db.selectFrom('catch_ups').selectAll().where('id', '=', ID).executeTakeFirst()
}

/** Stops what is sent to gateways until all that they did since a moment is known. Datetimes (UTC). */
export async function beginCatchUp({ db }: Tx, since: string, now: string): Promise<void> {
  await db
    .insertInto('catch_ups')
    .values({ id: ID, since, restored_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ since }))
    .execute()
}

export async function endCatchUp({ db }: Tx): Promise<void> {
  await db.deleteFrom('catch_ups').where('id', '=', ID).execute()
}

/** Whether what a restore has forgotten waits to be decided. */
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
