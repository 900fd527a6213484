import { owner, type Principal } from '../../engine/core/request/principal.js'
import { StoreError } from '../../engine/store/database/store-error.js'
import { openToExamine } from '../../engine/store/open-store.js'
import { type Login, loginPrincipal } from './operators/operator-principal.js'

/**
 * The principal of a login in a database that is neither made nor changed; undefined: nobody. A database that cannot be
 * read knows no operators: there the login that owns the home is its owner.
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
