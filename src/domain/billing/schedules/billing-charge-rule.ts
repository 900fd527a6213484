import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../../engine/core/write/work.js'
import type { BillingChargeRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { formatMoney, LARGEST, type Minor, ONE_PIECE, times } from '../../../schema/money.js'
import { billMissed } from './bill-slot.js'
import { judgeCharges } from './charges-total.js'
import { findNext } from './next-slot.js'

/**
 * Rule of billing charges. Spec: "Billing charge". The total of a charge is amount times qty, rounded half away from
 * zero.
 */
export const billingChargeRule: Rule<typeof resources.billing_charge> = {
  async create(work, input) {
    const price = priceOf(input.amount, input.qty)
    await billMissedOf(work, input.billing_schedule_id)
    const made = await work.createPlainly(resources.billing_charge, { ...input, ...price })
    await judgeCharges(work, made.billing_schedule_id)
    await findNextOf(work, made.billing_schedule_id)
    return made
  },

  async update(work, row, input) {
    const { amount = row.amount, qty = row.qty } = input
    const price = priceOf(amount, qty)
    await billMissedOf(work, row.billing_schedule_id)
    const changed = await work.updatePlainly(resources.billing_charge, row, { ...input, ...price })
    await judgeCharges(work, row.billing_schedule_id)
    if (changed.billing_schedule_id !== row.billing_schedule_id)
      await judgeCharges(work, changed.billing_schedule_id)
    return changed
  },

  async delete(work, row) {
    await billMissedOf(work, row.billing_schedule_id)
    await work.deletePlainly(resources.billing_charge, row)
    await judgeCharges(work, row.billing_schedule_id)
    await findNextOf(work, row.billing_schedule_id)
  },
}

/** Bills the missed slots of a schedule with its charges as they are before the change. */
async function billMissedOf(work: Work, scheduleId: string | null | undefined): Promise<void> {
  const schedule = scheduleId ? await work.find(resources.billing_schedule, scheduleId) : undefined
  if (schedule) await billMissed(work, schedule.id)
}

/** Recalculates the next slot of a schedule, because it bills only while it has charges. */
async function findNextOf(work: Work, scheduleId: string | null): Promise<void> {
  if (scheduleId !== null) await findNext(work, scheduleId)
}

function priceOf(
  amount: Minor | null | undefined,
  qty: number | null | undefined,
): Pick<BillingChargeRow, 'amount' | 'qty' | 'total'> {
  if (amount === null || amount === undefined) throw invalidAttributes({ amount: 'Required' })
  const count = qty ?? ONE_PIECE
  const total = times(amount, count)
  if (Math.abs(total) > LARGEST)
    throw invalidAttributes({ amount: `Times qty must be at most ${formatMoney(LARGEST)}` })
  return { amount, qty: count, total }
}
