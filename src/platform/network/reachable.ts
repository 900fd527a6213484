import { lookup as systemLookup } from 'node:dns/promises'
import { mayReach, type Reach } from './reach.js'

/** Error of an address that may not be reached. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** Finds all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly { address: string; family: number }[]>

/** All addresses of a name. Throws `Unreachable` if one of them may not be reached. */
export async function reachable(name: string, reach: Reach, resolve: Resolve) {
  const found = await resolve(name)
  if (found.length === 0) throw new Unreachable(`${name} has no address`)
  const refused = found.find(({ address }) => !mayReach(address, reach))
  if (refused) throw new Unreachable(`${name} resolves to ${refused.address}, which may not be reached`)
  return found.map(({ address, family }) => ({ address, family }))
}

export async function resolveAll(name: string) {
  return await systemLookup(name, { all: true, verbatim: true })
}
