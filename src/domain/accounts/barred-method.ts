import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { CollectionRow, PaymentMethodRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'

/** Text that identifies the card or bank account of a method, such as `Visa ending in 4242, 12/39`. */
export function identifiedBy({ description, card__expiry: expiry }: PaymentMethodRow): string {
  return [description, expiry].filter((part) => part !== null).join(', ')
}

/**
 * Bars a method from automatic payments, for every invoice, after a payment with the method was declined for good or
 * returned by the bank. A method that has changed since the payment is not barred. See docs/money.md, "Billing
 * schedules".
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
    // Setting the bar seals the row anew, which would confirm values that were changed outside payctl. So a bank
    // account whose row does not match its seal is left unchanged.
    const isBank = method.type === 'bank_account'
    if (isBank && (await work.sealProblem('payment_methods', methodId, method)) !== undefined) return
    await setBar(work, methodId, id)
  })
}

/** Lifts the bar of a method, after a payment with the method was approved or the method was changed. */
export async function liftBar(work: Work, method: PaymentMethodRow): Promise<PaymentMethodRow> {
  if (method.barred_by === null) return method
  return await work.asSystem(() => setBar(work, method.id, null))
}

/** Whether a change of a method could make payments succeed again, so that its bar is lifted. */
export function isRenewed(before: PaymentMethodRow, after: PaymentMethodRow): boolean {
  return (
    identifiedBy(before) !== identifiedBy(after) ||
    before.billing_address__postal_code !== after.billing_address__postal_code ||
    before.billing_address__street_address !== after.billing_address__street_address
  )
}

/** Changes the column directly: the method keeps its `modified_at`, and no event is sent. */
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

/** The attempt to collect an invoice that made a payment. */
const attemptBy = prepared<{ id: string }, Pick<CollectionRow, 'identified_by'>>((db, param) =>
  db.selectFrom('collections').select('identified_by').where('transaction_id', '=', param('id')),
)
