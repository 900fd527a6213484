import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import { resources } from '../../../resources/resource-table.js'
import { formatMoney } from '../../../schema/money.js'

/**
 * Writes a schedule with its charges, which are judged when the tree is complete. Throws `InvalidAttributes` on
 * `charges`.
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

/** Judges the charges of a schedule after one has changed, unless the schedule's tree is being written. */
export async function judgeCharges(work: Work, scheduleId: string | null): Promise<void> {
  if (scheduleId !== null && !work.openTrees.has(resources.billing_schedule))
    await refuseBelowZero(work, scheduleId, 'amount')
}

/** Refuses charges that would make invoices below zero. Money: "Invoices". */
async function refuseBelowZero(work: Work, scheduleId: string, attribute: string): Promise<void> {
  const charges = await work.findBy(resources.billing_charge, 'billing_schedule_id', scheduleId)
  const total = charges.reduce((sum, charge) => sum + (charge.total ?? 0), 0)
  if (total < 0)
    throw invalidAttributes({
      [attribute]: `The schedule would bill ${formatMoney(total)}, and a total is never below 0.00`,
    })
}
