import { type InclusionProof, makeProof } from '../engine/store/books/inclusion-proof.js'
import { signingKey } from '../engine/store/books/signing-key.js'
import { openStore, type StoreOptions } from '../engine/store/open-store.js'
import { openVault } from '../engine/store/vault/vault.js'
import type { Clock } from '../platform/clock.js'
import { datetimeOf } from '../schema/datetime.js'
import { InstallationError } from './installation-error.js'

/**
 * Proof that the sealed books contain a row in its current state. Throws an `InstallationError` if they do
 * not.
 */
export async function proveRow(
  options: StoreOptions & { readonly clock: Clock },
  id: string,
): Promise<InclusionProof> {
  const { home, environment, clock, random } = options
  const store = await openStore(options)
  try {
    const key = signingKey(openVault(home, random).hash)
    const signing = { environment, key, signedAt: datetimeOf(clock.now()) }
    const proof = await store.write(async (tx) => await makeProof(tx, id, signing))
    if (proof) return proof
    throw new InstallationError(
      `${id} is not in the sealed books as it is now: run payctl verify (on PostgreSQL, what was just written is sealed within a second).`,
    )
  } finally {
    await store.close()
  }
}
