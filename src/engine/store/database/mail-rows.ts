/** Its one row says how far mail was made of events, and of cards that expire. */
export interface MailProgressRow {
  id: string
  /** Position among the events, as `read_events` names it. */
  events_after: string
  /** Month (`YYYY-MM`) whose expiring cards were announced last. */
  cards_of: string | null
}

/** An address that declined reminders of a processing account. */
export interface MailRefusalRow {
  /** The processing account and the address in lower case: there is never a second one. */
  id: string
  email: string
  processing_id: string
  created_at: string
}
