import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { AccountRow } from '../../engine/store/database/tables.js'

/**
 * Payouts of a processing account. With `simulated` the funding run assumes that the processor pays, and pays out.
 * With `gateway` deposits and reversals are the payouts that the gateway reports. With `none` there are no payouts.
 * See docs/money.md, "Payouts".
 */
export type Payouts = NonNullable<AccountRow['processing__payouts']>

/** Payouts of an account by its setting; if null, by its environment: in live no payout is assumed. */
export function payoutsIn(environment: Environment, payouts: AccountRow['processing__payouts']): Payouts {
  return payouts ?? (environment === 'live' ? 'none' : 'simulated')
}

/** Payouts of a transaction's processing account. */
export async function payoutsOf(
  { tx, environment }: Work,
  { processing_id: id }: { readonly processing_id: string | null },
): Promise<Payouts> {
  const [row] = id === null ? [] : await tx.run(payoutsOfAccount, { id })
  return payoutsIn(environment, row?.processing__payouts ?? null)
}

const payoutsOfAccount = prepared<{ id: string }, Pick<AccountRow, 'processing__payouts'>>((db, param) =>
  db.selectFrom('accounts').select('processing__payouts').where('id', '=', param('id')),
)
