import fc from 'fast-check'

/**
 * Possible requests of a program. `nth` is the index of a transaction in order of creation; amounts in cents.
 */
export type Action =
  | {
      readonly kind: 'pay'
      readonly cents: number
      readonly by: Payer
      readonly hold: boolean
      readonly once: boolean
    }
  | { readonly kind: 'pay_out'; readonly cents: number; readonly as: 'refund' | 'credit' }
  | { readonly kind: 'refund'; readonly nth: number; readonly part: number }
  | { readonly kind: 'refund_twice'; readonly nth: number; readonly parts: readonly [number, number] }
  | { readonly kind: 'capture' | 'void' | 'delete'; readonly nth: number }
  | { readonly kind: 'charge_back' | 'capture_part'; readonly nth: number; readonly part: number }
  | { readonly kind: 'win'; readonly nth: number }
  | { readonly kind: 'describe'; readonly nth: number; readonly text: string }

export type Payer = 'card' | 'declined_card' | 'bank_account'

/** Prices of a processing account. Rates in parts per million, cost in cents. */
export interface Price {
  readonly rate: number
  readonly alloc: number
  readonly cost: number
  readonly monthly: boolean
}

const nth = fc.nat({ max: 30 })
/** Percentage of the rest of a payment; each point above 100 is a cent too much. */
const part = fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 120 }))
const cents = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 99_999_999 }))

const pay = fc.record({
  kind: fc.constant('pay' as const),
  cents,
  by: fc.constantFrom<Payer>('card', 'card', 'card', 'bank_account', 'declined_card'),
  hold: fc.boolean(),
  once: fc.boolean(),
})

export const actions: fc.Arbitrary<Action>[] = [
  pay,
  pay,
  fc.record({ kind: fc.constant('refund' as const), nth, part }),
  fc.record({ kind: fc.constant('refund' as const), nth, part }),
  fc.record({ kind: fc.constant('refund_twice' as const), nth, parts: fc.tuple(part, part) }),
  fc.record({ kind: fc.constantFrom('capture' as const, 'void' as const), nth }),
  fc.record({ kind: fc.constant('capture_part' as const), nth, part }),
  fc.record({ kind: fc.constant('delete' as const), nth }),
  fc.record({ kind: fc.constant('charge_back' as const), nth, part }),
  fc.record({ kind: fc.constant('charge_back' as const), nth, part }),
  fc.record({ kind: fc.constant('win' as const), nth }),
  fc.record({ kind: fc.constant('describe' as const), nth, text: fc.constantFrom('spring', 'autumn') }),
  fc.record({
    kind: fc.constant('pay_out' as const),
    cents,
    as: fc.constantFrom('refund' as const, 'credit' as const),
  }),
]

export const prices: fc.Arbitrary<Price> = fc.record({
  rate: fc.constantFrom(0, 28_750, 29_000, 333_333),
  alloc: fc.constantFrom(0, 333_333, 500_000, 1_000_000),
  cost: fc.integer({ min: 0, max: 100 }),
  monthly: fc.boolean(),
})
