import type { Work } from '../../engine/core/write/work.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'

/** A value that is the same for every method with the same number, in whichever account it is stored. */
export interface Fingerprints {
  /** As a payment keeps it now. */
  readonly current: string
  /** Each that an earlier payment may have kept, the oldest first: several once the key of numbers was rotated. */
  readonly all: readonly string[]
}

/** The fingerprints of a method; nothing where it has no number. */
export function fingerprintsOf({ vault }: Work, method: PaymentMethodRow): Fingerprints | undefined {
  const column = method.card__card_number_hash === null ? 'bank_account__account_number' : 'card__card_number'
  const hash = method[`${column}_hash`]
  if (hash === null) return undefined
  const place = { table: 'payment_methods', column, id: method.id }
  const current = vault.rehashNumber(hash, place)
  const sealed = method[column]
  const isKnown = vault.hasSeveralHashes && sealed !== null
  return { current, all: isKnown ? vault.numberHashes(vault.open(sealed, place), column) : [current] }
}
