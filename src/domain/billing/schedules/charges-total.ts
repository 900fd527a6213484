import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import { resources } from '../../../resources/resource-table.js'
import { formatMoney } from '../../../schema/money.js'

/**
 * Writes a schedule with its charges, and checks their total when all are written. Throws `InvalidAttributes` for
 * `charges` if the total is below zero.
 */
export async function judgingChargesOf<T extends { readonly id: string }>(
  work: Work,
  write: () => Promise<T>,
): Promise<T> {
  work.openTrees.set(resources.billing_schedule, new Map())
  try {
    const written = await write()
    await refuseBelowZero(work, written.id, 'charges')
    return written
  } finally {
    work.openTrees.delete(resources.billing_schedule)
  }
}

/**
 * Checks the total of a schedule's charges after one has changed. While a schedule is written with its charges,
 * `judgingChargesOf` checks it at the end instead.
 */
export async function judgeCharges(work: Work, scheduleId: string | null): Promise<void> {
  if (scheduleId !== null && !work.openTrees.has(resources.billing_schedule))
    await refuseBelowZero(work, scheduleId, 'amount')
}

/** Refuses charges whose total is below zero, since no invoice may be below zero. See docs/money.md, "Invoices". */
async function refuseBelowZero(work: Work, scheduleId: string, attribute: string): Promise<void> {
  const charges = await work.findBy(resources.billing_charge, 'billing_schedule_id', scheduleId)
  const total = charges.reduce((sum, charge) => sum + (charge.total ?? 0), 0)
  if (total < 0)
    throw invalidAttributes({
      [attribute]: `The schedule would bill ${formatMoney(total)}, and a total is never below 0.00`,
    })
}
