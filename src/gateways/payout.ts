/** Merchant at the gateway whom a notice concerns. */
export interface OfMerchant {
  /** Omitted where it is the merchant of the credentials. */
  readonly merchant?: string | undefined
}

/** One payout of the gateway, or one that it takes. */
export interface GatewaySettlement {
  readonly id: string
  /** Datetime of the payout; null while it is on its way. */
  readonly settledAt: string | null
  readonly currency: string
  /** Null where the rail does not report the sums. */
  readonly gross: number | null
  readonly fees: number | null
  readonly net: number | null
  /** The merchant's account at the gateway, if there are several. */
  readonly merchant?: string | undefined
  readonly lines: readonly GatewaySettlementLine[]
  /** The gateway's ids of earlier payouts that failed, whose money is in this one. */
  readonly repays?: readonly string[]
}

export interface GatewaySettlementLine {
  readonly id: string
  /**
   * `reserve` is money that the processor holds back or releases, `transfer` a movement of the account's own money.
   * What is none of these is `other`.
   */
  readonly kind:
    | 'payment'
    | 'refund'
    | 'chargeback'
    | 'chargeback_reversal'
    | 'return'
    | 'fee'
    | 'reserve'
    | 'transfer'
    | 'other'
  /** Our reference, if it is reported. */
  readonly reference?: string | undefined
  /** `ref_number` of our transaction, at rails that report no reference. */
  readonly refNumber?: string | undefined
  readonly gatewayId?: string | undefined
  /** The gateway's id of the payment that was refunded or disputed. */
  readonly parentId?: string | undefined
  /** Above zero where the merchant gets it. */
  readonly amount: number
  /** The processor's fee of the line; null where the rail does not report it. */
  readonly fee: number | null
  /** The gateway's own word for the line, and its description, for people. */
  readonly type?: string | undefined
  readonly description?: string | undefined
}

export interface Settlements {
  readonly batches: readonly GatewaySettlement[]
  readonly cursor: string | null
  /** Payouts that failed lately, also those that were reported as paid before. */
  readonly failed?: readonly FailedPayout[]
}

/** A payout that did not arrive: its money is at the gateway again. */
export interface FailedPayout extends OfMerchant {
  readonly kind: 'payout_failed'
  /** The gateway's id of the payout. */
  readonly payout: string
  /** Time at which the payout was made, in milliseconds since 1970. */
  readonly madeAt: number
  /** Above zero where the merchant would have got it. */
  readonly amount: number
  readonly currency: string
  /** The gateway's code, unchanged, and its words. */
  readonly code: string
  readonly message?: string | undefined
}
