import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { AccountRow } from '../../engine/store/database/tables.js'

/**
 * How a processing account is paid. `simulated`: the funding run takes it for granted that the processor pays, and pays
 * out. `gateway`: deposits and reversals are what the gateway says it has paid out. `none`: nothing is paid out. Money:
 * "Ledger, deposits, journal".
 */
export type Payouts = NonNullable<AccountRow['processing__payouts']>

/** How an account is paid that says nothing of it: in live nothing is booked by assumption. */
export function payoutsIn(environment: Environment, payouts: AccountRow['processing__payouts']): Payouts {
  return payouts ?? (environment === 'live' ? 'none' : 'simulated')
}

/** How the processing account of a transaction is paid. */
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
