import type { Work } from '../../engine/core/write/work.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'

/**
 * Bank accounts of a processing account: the default one first, then the others from the oldest. The first one
 * receives the deposits.
 */
export async function depositMethods({ tx }: Work, accountId: string): Promise<PaymentMethodRow[]> {
  return await tx.db
    .selectFrom('payment_methods')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('type', '=', 'bank_account')
    .where('deleted_at', 'is', null)
    .orderBy((eb) => eb.fn.coalesce('default_payment_method', eb.lit(0)), 'desc')
    .orderBy('id')
    .execute()
}

/**
 * Stores in a processing account which bank account receives its deposits, after its bank accounts or their default
 * changed. Otherwise nobody could detect that this bank account was removed directly in the database.
 */
export async function noteDepositMethod(work: Work, { account_id: id }: PaymentMethodRow): Promise<void> {
  const account = id === null ? undefined : await work.find(resources.account, id)
  if (account?.type !== 'processing') return
  const [first] = await depositMethods(work, account.id)
  const deposit_method_id = first?.id ?? null
  if (deposit_method_id !== account.deposit_method_id)
    await work.change(resources.account, account.id, { deposit_method_id })
}
