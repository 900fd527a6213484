import type { Tx } from '../../engine/store/database/store.js'
import { type CheckResult, passed } from './check-result.js'

/**
 * Gateways whose card numbers are entered on pages of this service, with the consequence for the operator's
 * PCI scope.
 */
export async function cardEntry({ db }: Tx): Promise<CheckResult[]> {
  const rows = await db
    .selectFrom('admin_gateways')
    .select('name')
    .where('card_entry', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) =>
    passed(`gateways ${name}`, 'card numbers are typed into pages of payctl for it: SAQ D'),
  )
}
