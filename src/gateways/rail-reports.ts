/** Events that a rail reports. Other events are recorded by an operator, from the processor's statements. */
export interface RailReports {
  readonly fees: boolean
  readonly payouts: boolean
  readonly disputes: boolean
  /** Refunds that fail after they were approved. */
  readonly failedRefunds: boolean
  /** Payouts that do not arrive at the bank account. */
  readonly failedPayouts: boolean
  /** Money that the processor holds back from payouts and pays later. */
  readonly reserves: boolean
}

/** Reports of a rail that reports no event. */
export const NO_REPORTS: RailReports = {
  fees: false,
  payouts: false,
  disputes: false,
  failedRefunds: false,
  failedPayouts: false,
  reserves: false,
}
