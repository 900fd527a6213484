/** Sum of a day's postings or declined payments. A row of the kind `day` has the total number of both. */
export interface ReportDayRow {
  /** Made from all attributes that identify the sum, so it is unique. */
  id: string
  /** Time zone of the day. */
  zone: string
  day: string
  /**
   * `day`, `declined`, or the reason for the postings: a type of transaction, `exception` or
   * `settlement_line`.
   */
  kind: string
  processing_id: string | null
  /** Book account from which the amounts were moved; for declined payments their status code. */
  from_account: string
  to_account: string
  /** Number of rows in the sum. */
  number: number
  /** In minor units. */
  amount: number
}
