import type { Work } from '../../engine/core/write/work.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'

/**
 * Whether a narrowed caller sees a method only because it paid one of its processing accounts: its owner is out of
 * the caller's scope, so that it is not the caller's to use again, change or delete.
 */
export async function hasForeignOwner(work: Work, { account_id: owner }: PaymentMethodRow): Promise<boolean> {
  if (!work.principal.processingIds || owner === null) return false
  return (await work.find('account', owner)) === undefined
}
