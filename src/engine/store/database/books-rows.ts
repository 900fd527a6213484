/** Signed head of the sealed books. */
export interface CheckpointRow {
  /** Number of the commit. */
  id: number
  hash: string
  signed_at: string
  /** Ed25519 signature, in base64. */
  signature: string
}

/**
 * Record of an operator's acceptance of the books in their current state, with the problem that the books
 * had.
 */
export interface BooksAcceptanceRow {
  id: string
  reason: string
  problem: string
  accepted_at: string
}
