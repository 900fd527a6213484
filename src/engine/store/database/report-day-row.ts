/** A sum of a day's postings, or of its declined payments; of the kind `day` their number. */
export interface ReportDayRow {
  /** All that it is a sum of: there is never a second one. */
  id: string
  /** Time zone of the day. */
  zone: string
  day: string
  /** `day`, `declined`, or what the postings are booked for: a type of transactions, `exception`, `settlement_line`. */
  kind: string
  processing_id: string | null
  /** Of declined payments the status code. */
  from_account: string
  to_account: string
  /** How many rows it is the sum of. */
  number: number
  /** Minor units. */
  amount: number
}
