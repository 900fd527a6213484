/** Progress of mail: its single row records which events and expiring cards have been processed. */
export interface MailProgressRow {
  id: string
  /** Position among the events, in the format of `read_events`. */
  events_after: string
  /** Month (`YYYY-MM`) of the expiring cards that were announced last. */
  cards_of: string | null
}

/** Email address that declined reminders of a processing account. */
export interface MailRefusalRow {
  /** Made from the processing account and the lower-case address, so it is unique. */
  id: string
  email: string
  processing_id: string
  created_at: string
}
