/** The merchant at the gateway that a notice concerns. */
export interface OfMerchant {
  /** The merchant's account at the gateway; omitted for the merchant of the credentials. */
  readonly merchant?: string | undefined
}

/** One payout of the gateway to the merchant's bank account, or a debit from that account. */
export interface GatewaySettlement {
  readonly id: string
  /** Datetime of the payout; null while it is under way. */
  readonly settledAt: string | null
  readonly currency: string
  /** Sum before fees; null if the rail does not report sums. */
  readonly gross: number | null
  readonly fees: number | null
  readonly net: number | null
  /** The merchant's account at the gateway, if there are several. */
  readonly merchant?: string | undefined
  readonly lines: readonly GatewaySettlementLine[]
  /** The gateway's ids of earlier, failed payouts whose money is included in this payout. */
  readonly repays?: readonly string[]
}

export interface GatewaySettlementLine {
  readonly id: string
  /**
   * Kind of the settlement line. `reserve` is money that the processor holds back or releases. `transfer` is
   * a movement of the account's own money. `other` is any line of another kind.
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
  /** Our reference, if the gateway reports it. */
  readonly reference?: string | undefined
  /** `ref_number` of our transaction, from rails that report no reference. */
  readonly refNumber?: string | undefined
  readonly gatewayId?: string | undefined
  /** The gateway's id of the payment that was refunded or disputed. */
  readonly parentId?: string | undefined
  /** Positive if the merchant receives the money, negative if the merchant pays it. */
  readonly amount: number
  /** The processor's fee for the line; null if the rail does not report it. */
  readonly fee: number | null
  /** The gateway's name for the kind of line, for people; `description` is the gateway's description. */
  readonly type?: string | undefined
  readonly description?: string | undefined
}

export interface Settlements {
  readonly batches: readonly GatewaySettlement[]
  readonly cursor: string | null
  /** Recently failed payouts, including those that were reported as paid before. */
  readonly failed?: readonly FailedPayout[]
}

/** A payout that did not reach the bank account. Its money is back at the gateway. */
export interface FailedPayout extends OfMerchant {
  readonly kind: 'payout_failed'
  /** The gateway's id of the payout. */
  readonly payout: string
  /** Time at which the payout was made, in milliseconds since 1970. */
  readonly madeAt: number
  /** Positive if the payout should have brought money to the merchant. */
  readonly amount: number
  readonly currency: string
  /** The gateway's code, unchanged; `message` is the gateway's text. */
  readonly code: string
  readonly message?: string | undefined
}
