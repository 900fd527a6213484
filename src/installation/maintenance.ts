import type { AdminRules } from '../engine/core/write/rule.js'
import type { Tx } from '../engine/store/database/store.js'
import type { MaintenanceRow } from '../engine/store/database/tables.js'

/** Id of the only row, which exists while the environment is in maintenance. */
const ID = 'maintenance'

export const maintenanceRules: Pick<AdminRules, 'read_maintenance' | 'set_maintenance'> = {
  read_maintenance: {
    perform: async ({ tx }) => answerOf(await findMaintenance(tx)),
  },
  /**
   * Switches maintenance on or off. Switching it on again keeps the start time and replaces the message.
   * One statement does this, so concurrent requests are safe.
   */
  set_maintenance: {
    async perform({ tx, realNow: now }, { enabled, message = null }) {
      if (enabled !== 1) {
        await tx.db.deleteFrom('maintenance').where('id', '=', ID).execute()
        return answerOf(undefined)
      }
      await tx.db
        .insertInto('maintenance')
        .values({ id: ID, message, since: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ message }))
        .execute()
      return answerOf(await findMaintenance(tx))
    },
  },
}

/** Whether the environment is in maintenance; due jobs wait until it ends. */
export async function inMaintenance(tx: Tx): Promise<boolean> {
  return (await findMaintenance(tx)) !== undefined
}

async function findMaintenance({ db }: Tx): Promise<MaintenanceRow | undefined> {
  return await db.selectFrom('maintenance').selectAll().where('id', '=', ID).executeTakeFirst()
}

function answerOf(row: MaintenanceRow | undefined) {
  return { enabled: row ? 1 : 0, message: row?.message ?? null, since: row?.since ?? null }
}
