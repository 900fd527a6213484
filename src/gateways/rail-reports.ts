/** Events that a rail reports by itself. An operator records the other events from statements. */
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
