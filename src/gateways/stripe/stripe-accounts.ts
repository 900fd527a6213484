import { parsedJson } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'
import type { Credentials } from '../contract.js'

/** A part of one account's list; `cursor` is the position where the next part begins. */
interface Part {
  readonly cursor: string | null
}

/**
 * Reads a list in the credentials' own account and in each connected account that routes (`gateways route`) name. One cursor holds
 * the positions of all accounts. With only the own account, it is that account's position.
 */
export async function inEachAccount<T extends Part>(
  cursor: string | null,
  credentials: Credentials,
  read: (cursor: string | null, credentials: Credentials) => Promise<T>,
): Promise<{ readonly parts: readonly T[]; readonly cursor: string | null }> {
  const before = positionsIn(cursor)
  const after = new Map(before)
  const parts: T[] = []
  for (const account of ['', ...(credentials.merchants ?? [])]) {
    const at = account === '' ? credentials : { ...credentials, merchant: account }
    const part = await read(before.get(account) ?? null, at)
    if (part.cursor !== null) after.set(account, part.cursor)
    parts.push(part)
  }
  const isSame = [...after].every(([account, position]) => before.get(account) === position)
  return { parts, cursor: isSame ? cursor : written(after) }
}

/** Positions in a cursor, by account; the key of the credentials' own account is empty. */
function positionsIn(cursor: string | null): ReadonlyMap<string, string> {
  if (cursor === null) return new Map()
  const positions = cursor.startsWith('{') ? parsedJson(cursor) : { '': cursor }
  const pairs = isTree(positions) ? Object.entries(positions) : []
  return new Map(pairs.flatMap(([account, at]) => (typeof at === 'string' ? [[account, at] as const] : [])))
}

function written(positions: ReadonlyMap<string, string>): string | null {
  const own = positions.get('')
  return positions.size === 1 && own !== undefined ? own : JSON.stringify(Object.fromEntries(positions))
}
