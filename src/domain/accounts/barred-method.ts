import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { CollectionRow, PaymentMethodRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'

/** Attributes of a method by which its payer is charged: as `Visa ending in 4242, 12/39`. */
export function identifiedBy({ description, card__expiry: expiry }: PaymentMethodRow): string {
  return [description, expiry].filter((part) => part !== null).join(', ')
}

/**
 * Bars a method from automatic payments, for every invoice, after a payment by it that was declined for good or returned
 * by the bank. A method that has changed since the payment is not barred. Money: "Billing schedules".
 */
export async function barMethod(
  work: Work,
  { id, payment_method_id: methodId }: Pick<TransactionRow, 'id' | 'payment_method_id'>,
): Promise<void> {
  if (methodId === null) return
  await work.asSystem(async () => {
    const method = await work.lock(resources.payment_method, methodId)
    if (!method || method.keep_active === 0) return
    const [attempt] = await work.tx.run(attemptBy, { id })
    if (attempt?.identified_by && attempt.identified_by !== identifiedBy(method)) return
    // What something other than payctl has changed in the row would be sealed with the bar.
    const isBank = method.type === 'bank_account'
    if (isBank && (await work.sealProblem('payment_methods', methodId, method)) !== undefined) return
    await setBar(work, methodId, id)
  })
}

/** Lifts the bar of a method, which was approved or changed. */
export async function liftBar(work: Work, method: PaymentMethodRow): Promise<PaymentMethodRow> {
  if (method.barred_by === null) return method
  return await work.asSystem(() => setBar(work, method.id, null))
}

/** Whether a change of a method gives its payer another way to be charged, so that a bar does not concern it. */
export function isRenewed(before: PaymentMethodRow, after: PaymentMethodRow): boolean {
  return (
    identifiedBy(before) !== identifiedBy(after) ||
    before.billing_address__postal_code !== after.billing_address__postal_code ||
    before.billing_address__street_address !== after.billing_address__street_address
  )
}

/** Changes the column without an update of the method: clients see no change. */
async function setBar(work: Work, id: string, barredBy: string | null): Promise<PaymentMethodRow> {
  await work.tx.change(setBarredBy, { id, barredBy })
  return await work.refresh(resources.payment_method, id)
}

const setBarredBy = prepared<{ id: string; barredBy: string | null }, never>((db, param) =>
  db
    .updateTable('payment_methods')
    .set({ barred_by: param('barredBy') })
    .where('id', '=', param('id')),
)

/** The attempt to collect an invoice that a payment was. */
const attemptBy = prepared<{ id: string }, Pick<CollectionRow, 'identified_by'>>((db, param) =>
  db.selectFrom('collections').select('identified_by').where('transaction_id', '=', param('id')),
)
