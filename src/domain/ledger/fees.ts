import type { PaymentMethodRow, ProcessingSettingsRow } from '../../engine/store/database/tables.js'
import { type Minor, type Ppm, portion } from '../../schema/money.js'

/** Kinds of method that have prices of their own; gift cards are priced as prepaid ones. */
export type MethodKind = 'credit' | 'debit' | 'prepaid' | 'bank_account'

/** Price of a payment by one kind of method, and the party that bears it. */
export interface Price {
  readonly rate: Ppm
  readonly cost: Minor
  /** The part of the fee that the payer bears as convenience fee. */
  readonly alloc: Ppm
  /** Whether the merchant's share is taken from each deposit, or accrued for the monthly bill. */
  readonly billing: 'netted_daily' | 'billed_monthly'
}

/** The parts of a payment's fee: `convFee + fee + accrued` is exactly the whole fee. */
export interface Fees {
  /** Charged to the payer on top of the amount. */
  readonly convFee: Minor
  /** The merchant's share, taken out of the deposit. */
  readonly fee: Minor
  /** The merchant's share, waiting for the month's bill. */
  readonly accrued: Minor
}

export const NO_FEES: Fees = { convFee: 0, fee: 0, accrued: 0 }

export function methodKind(method: Pick<PaymentMethodRow, 'type' | 'card__card_type'>): MethodKind {
  if (method.type === 'bank_account') return 'bank_account'
  switch (method.card__card_type) {
    case 'debit':
      return 'debit'
    case 'prepaid':
    case 'gift':
      return 'prepaid'
    case 'credit':
    case null:
      return 'credit'
  }
}

/** Settings of an account that decide the prices of its payments; null means 0. */
export type PriceSettings = Pick<
  ProcessingSettingsRow,
  | `${MethodKind}_trans_rate`
  | `${MethodKind}_trans_cost`
  | `${MethodKind}_conv_fee_alloc`
  | 'billing_preference'
>

/** The price of a kind of method by an account's settings. Spec: "Processing settings". */
export function priceOf(settings: PriceSettings, kind: MethodKind): Price {
  return {
    rate: settings[`${kind}_trans_rate`] ?? 0,
    cost: settings[`${kind}_trans_cost`] ?? 0,
    alloc: settings[`${kind}_conv_fee_alloc`] ?? 0,
    billing: settings.billing_preference ?? 'netted_daily',
  }
}

/** The whole fee of an amount: its portion (rounded half away from zero) and the fixed cost. */
export function wholeFee(amount: Minor, { rate, cost }: Pick<Price, 'rate' | 'cost'>): Minor {
  return portion(amount, rate) + cost
}

/**
 * Splits a payment's fee between payer and merchant. `agreed` limits the payer's share, in minor units; the merchant
 * bears the rest. See docs/money.md, "Fees".
 */
export function feesOf(amount: Minor, price: Price, agreed = Number.POSITIVE_INFINITY): Fees {
  const whole = wholeFee(amount, price)
  const convFee = Math.min(portion(whole, price.alloc), agreed)
  const share = whole - convFee
  return price.billing === 'netted_daily'
    ? { convFee, fee: share, accrued: 0 }
    : { convFee, fee: 0, accrued: share }
}
