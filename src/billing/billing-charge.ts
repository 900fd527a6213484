import { invalidAttributes } from '../core/errors.js'
import type { Rule } from '../core/work.js'
import { formatMoney, LARGEST, type Minor, times } from '../schema/money.js'
import type { BillingChargeRow } from '../store/tables.js'

/** One, as a `number` is stored: in ten-thousandths. */
const ONE = 10_000

/** Spec: "Billing charge". Its total is amount times qty, rounded half away from zero. */
export const billingChargeRule: Rule<'billing_charge'> = {
  async create(work, input) {
    return await work.createPlainly('billing_charge', { ...input, ...priceOf(input.amount, input.qty) })
  },

  async update(work, row, input) {
    const { amount = row.amount, qty = row.qty } = input
    return await work.updatePlainly('billing_charge', row, { ...input, ...priceOf(amount, qty) })
  },
}

function priceOf(
  amount: Minor | null | undefined,
  qty: number | null | undefined,
): Pick<BillingChargeRow, 'amount' | 'qty' | 'total'> {
  if (amount === null || amount === undefined) throw invalidAttributes({ amount: 'Required' })
  const count = qty ?? ONE
  const total = times(amount, count)
  if (Math.abs(total) > LARGEST)
    throw invalidAttributes({ amount: `Times qty must be at most ${formatMoney(LARGEST)}` })
  return { amount, qty: count, total }
}
