import type { LineItemRow } from '../../engine/store/database/tables.js'
import type { Minor } from '../../schema/money.js'

type Item = Pick<LineItemRow, 'invoice_id' | 'total'>

/** Amount that a payment no longer pays of an invoice. Minor units above zero. */
export interface Compensation {
  readonly invoiceId: string
  readonly amount: Minor
}

/**
 * Decides from which invoices a payment withdraws `excess`: the newest allocation first. `items` are its line items,
 * oldest first; those above zero are earlier withdrawals. See docs/money.md, "Invoices".
 */
export function decideCompensation(items: readonly Item[], excess: Minor): Compensation[] {
  const takenBack = new Map<string, Minor>()
  const compensations: Compensation[] = []
  let left = excess
  for (const { invoice_id: invoiceId, total } of items.toReversed()) {
    if (invoiceId === null || total === null) continue
    const before = takenBack.get(invoiceId) ?? 0
    if (total > 0) {
      takenBack.set(invoiceId, before + total)
      continue
    }
    const covered = Math.min(before, -total)
    takenBack.set(invoiceId, before - covered)
    const amount = Math.min(left, -total - covered)
    if (amount > 0) compensations.push({ invoiceId, amount })
    left -= amount
  }
  return compensations
}
