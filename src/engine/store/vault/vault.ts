/** Where a sealed value lives; bound to the ciphertext so that values cannot be moved between rows. */
export interface Place {
  readonly table: string
  readonly column: string
  readonly id: string
}

/** Seals sensitive digits under a key that is kept outside the database. */
export interface Vault {
  /** AES-256-GCM; the text names the key it is under. */
  seal(plain: string, place: Place): string
  /** Throws when the text was changed, moved, or its key is missing. */
  open(sealed: string, place: Place): string
  /** A keyed hash under another key than `seal`'s, for equality; the purpose keeps hashes of different things apart. */
  hash(plain: string, purpose: string): string
}
