/** Signed head of the sealed books. */
export interface CheckpointRow {
  /** Number of the commit. */
  id: number
  hash: string
  signed_at: string
  /** Ed25519 signature, in base64. */
  signature: string
}

/** Record that an operator accepted the books as they are, with the problem that they had. */
export interface BooksAcceptanceRow {
  id: string
  reason: string
  problem: string
  accepted_at: string
}
