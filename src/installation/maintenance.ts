import type { AdminRules } from '../engine/core/write/rule.js'
import type { Tx } from '../engine/store/database/store.js'
import type { MaintenanceRow } from '../engine/store/database/tables.js'

/** The row that is there while the environment is in maintenance. */
const ID = 'maintenance'

export const maintenanceRules: Pick<AdminRules, 'read_maintenance' | 'set_maintenance'> = {
  read_maintenance: {
    perform: async ({ tx }) => answerOf(await findMaintenance(tx)),
  },
  /** Switched on again it keeps its beginning; the message is the last one given. */
  set_maintenance: {
    async perform({ tx, realNow: now }, { enabled, message = null }) {
      const known = await findMaintenance(tx)
      await tx.db.deleteFrom('maintenance').where('id', '=', ID).execute()
      if (enabled !== 1) return answerOf(undefined)
      const row = { id: ID, message, since: known?.since ?? now }
      await tx.db.insertInto('maintenance').values(row).execute()
      return answerOf(row)
    },
  },
}

/** Whether the environment is in maintenance, in which due jobs wait. */
export async function inMaintenance(tx: Tx): Promise<boolean> {
  return (await findMaintenance(tx)) !== undefined
}

async function findMaintenance({ db }: Tx): Promise<MaintenanceRow | undefined> {
  return await db.selectFrom('maintenance').selectAll().where('id', '=', ID).executeTakeFirst()
}

function answerOf(row: MaintenanceRow | undefined) {
  return { enabled: row ? 1 : 0, message: row?.message ?? null, since: row?.since ?? null }
}
