import { owner, type Principal } from '../../engine/core/request/principal.js'
import { StoreError } from '../../engine/store/database/store-error.js'
import { openToExamine } from '../../engine/store/open-store.js'
import { type Login, loginPrincipal } from './operators/operator-principal.js'

/**
 * Reads the principal of a login without creating or changing the database; undefined if the login has no access. If
 * the database is missing or cannot be read, the login that owns the home directory is its owner.
 */
export async function loginAt(
  place: Parameters<typeof openToExamine>[0],
  login: Login,
): Promise<Principal | undefined> {
  try {
    const store = await openToExamine(place)
    if (!store) return login.ownsHome ? owner : undefined
    try {
      // Seals cannot be compared in a database that is opened for examination only.
      const sealProblem = async () => undefined
      return await store.read((tx) => loginPrincipal({ tx, sealProblem }, login))
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof StoreError) return login.ownsHome ? owner : undefined
    throw error
  }
}
