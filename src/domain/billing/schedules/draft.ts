import type { Work } from '../../../engine/core/write/work.js'
import type { BillingChargeRow, BillingScheduleRow } from '../../../engine/store/database/tables.js'
import { formatMoney, LARGEST, type Minor, ONE_PIECE, showScaled } from '../../../schema/money.js'

/** A charge as an invoice lists it. Minor units. */
export interface DraftItem {
  readonly entry_type: 'charge'
  readonly amount: Minor
  readonly qty: number
  readonly description: string | null
  readonly type: string | null
}

/** What a schedule bills for a slot, or why it cannot. */
export type Draft =
  | { readonly kind: 'bills'; readonly items: readonly DraftItem[]; readonly total: Minor }
  | { readonly kind: 'cannot'; readonly reason: string }

/** What a schedule bills now. Money: "Billing schedules". */
export async function draftOf(work: Work, schedule: BillingScheduleRow): Promise<Draft> {
  const { customer_id: customerId, processing_id: processingId } = schedule
  if (!(await work.find('customer', customerId ?? ''))) return cannot('Its customer is deleted')
  if (!(await work.find('processing_account', processingId ?? '')))
    return cannot('Its processing account is deleted')
  return draft(await work.findBy('billing_charge', 'billing_schedule_id', schedule.id))
}

/** What charges come to. */
function draft(charges: readonly BillingChargeRow[]): Draft {
  if (charges.length === 0) return cannot('It has no charges')
  const items = charges.map(itemOf)
  const total = items.reduce((sum, { amount, qty }) => sum + amount * qty, 0)
  if (Math.abs(total) > LARGEST) return cannot(`Its charges exceed ${formatMoney(LARGEST)} together`)
  return { kind: 'bills', items, total }
}

/** An item counts whole pieces: of other quantities it is one that costs the total, and says so. */
function itemOf({ amount, qty, total, description, type }: BillingChargeRow): DraftItem {
  const price = amount ?? 0
  const count = qty ?? ONE_PIECE
  if (count % ONE_PIECE === 0)
    return { entry_type: 'charge', amount: price, qty: count / ONE_PIECE, description, type }
  const pieces = `${showScaled(count, 4)} × ${formatMoney(price)}`
  return {
    entry_type: 'charge',
    amount: total ?? 0,
    qty: 1,
    description: description === null ? pieces : `${description} (${pieces})`,
    type,
  }
}

function cannot(reason: string): Draft {
  return { kind: 'cannot', reason }
}
