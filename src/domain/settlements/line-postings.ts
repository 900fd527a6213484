import type { SettlementLineRow } from '../../engine/store/database/tables.js'
import type { Minor } from '../../schema/money.js'
import type { Payouts } from '../ledger/payouts.js'
import type { BookAccount, Posting } from '../ledger/postings.js'

export type LineStatus = NonNullable<SettlementLineRow['status']>
export type LineKind = NonNullable<SettlementLineRow['kind']>
export type Booked = NonNullable<SettlementLineRow['booked']>

/** The part of a line that is booked. Amounts in minor units. */
export interface BookedLine {
  readonly kind: LineKind
  readonly status: LineStatus
  readonly amount: Minor
  readonly fee: Minor | null
  readonly booked: Booked
}

/** Costs in a line that the processor keeps: its fee, or the whole line if it is a fee. */
function costOf({ kind, amount, fee }: Pick<BookedLine, 'kind' | 'amount' | 'fee'>): Minor {
  return (fee ?? 0) - (kind === 'fee' ? amount : 0)
}

/** Net amount that a line pays out, or takes. */
export function netOf({ amount, fee }: Pick<BookedLine, 'amount' | 'fee'>): Minor {
  return amount - (fee ?? 0)
}

/** Whether a line belongs to a stored transaction, or needs none. */
export function isPlaced({ status }: Pick<BookedLine, 'status'>): boolean {
  return status === 'matched' || status === 'differs'
}

/**
 * Postings of a line: the amount that the processor paid, its costs, and the part that matches no transaction so far.
 * See docs/money.md, "Payouts".
 */
export function linePostings(line: BookedLine): Posting[] {
  const cost = costOf(line)
  switch (line.booked) {
    case 'nothing':
      return []
    case 'fee':
      return isPlaced(line) ? moved('processor_cost', 'processor_clearing', cost) : []
    case 'fee_paid':
      return isPlaced(line) ? moved('processor_cost', 'cash', cost) : []
    case 'outside':
      // The fees of foreign payments are not our costs.
      if (line.kind === 'foreign') return moved('cash', 'outside', netOf(line))
      return [...moved('processor_cost', 'outside', cost), ...moved('cash', 'outside', netOf(line))]
    case 'payout':
      return [
        ...moved('processor_cost', 'processor_clearing', cost),
        ...moved('cash', 'processor_clearing', netOf(line)),
        ...(isPlaced(line) ? [] : moved('processor_clearing', 'suspense', netOf(line) + cost)),
      ]
  }
}

/** Postings of an amount; an amount below zero moves the other way. */
function moved(from: BookAccount, to: BookAccount, amount: Minor): Posting[] {
  if (amount === 0) return []
  return [amount > 0 ? { from, to, amount } : { from: to, to: from, amount: -amount }]
}

/**
 * Decides how a settlement line is booked, from the capabilities of its rail and the payouts of its account. Money of
 * others is booked as `outside`, and so are amounts that an operator decided to ignore.
 */
export function bookedOf(
  { status, isOutside = false }: Pick<BookedLine, 'status'> & { readonly isOutside?: boolean },
  rail: { readonly isOurCurrency: boolean; readonly reportsPayouts: boolean },
  payouts: Payouts,
): Booked {
  if (status === 'repeated' || !rail.isOurCurrency) return 'nothing'
  // The funding run assumes that the processor pays the whole payment.
  if (payouts === 'simulated') return isPlaced({ status }) ? 'fee_paid' : 'nothing'
  if (!rail.reportsPayouts) return 'fee'
  return isOutside ? 'outside' : 'payout'
}

/** Decides how the line with the sum of all foreign payments is booked. */
export function foreignBooked(
  rail: { readonly isOurCurrency: boolean; readonly reportsPayouts: boolean },
  payouts: Payouts,
): Booked {
  return rail.isOurCurrency && rail.reportsPayouts && payouts !== 'simulated' ? 'outside' : 'nothing'
}
