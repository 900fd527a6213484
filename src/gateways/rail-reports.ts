/** Events that a rail tells of by itself; what it does not tell is recorded by an operator, from statements. */
export interface RailReports {
  readonly fees: boolean
  readonly payouts: boolean
  readonly disputes: boolean
  /** Refunds that fail after they were approved. */
  readonly failedRefunds: boolean
  /** Payouts that do not arrive at the bank account. */
  readonly failedPayouts: boolean
  /** Money that it holds back from payouts, and pays later. */
  readonly reserves: boolean
}
