/** A signed head of the sealed books. */
export interface CheckpointRow {
  /** The commit's number. */
  id: number
  hash: string
  signed_at: string
  /** Ed25519, in base64. */
  signature: string
}

/** That an operator took the books as they are, and what was wrong with them. */
export interface BooksAcceptanceRow {
  id: string
  reason: string
  problem: string
  accepted_at: string
}
