import type { Work } from '../../engine/core/write/work.js'
import type { GatewayRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'

/** Columns that say how far a gateway was read. */
type Read = Partial<
  Pick<GatewayRow, 'notifications_cursor' | 'settlements_cursor' | 'settlements_compared_until'>
>

/**
 * Stores how far a gateway was read. A row that was changed outside payctl is not written, because the write would seal
 * those changes.
 */
export async function noteRead(work: Work, id: string, columns: Read): Promise<void> {
  const row = await work.lock(resources.gateway, id)
  if (row && (await work.sealProblem('admin_gateways', id, row)) === undefined)
    await work.change(resources.gateway, id, columns)
}
