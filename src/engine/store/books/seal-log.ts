import { hash } from 'node:crypto'
import { tableExists } from '../database/differences.js'
import { type Prepared, prepared } from '../database/prepared.js'
import type { Tx } from '../database/store.js'
import type { SealLogRow } from '../database/tables.js'
import { type Hash, rootOf } from './merkle.js'
import { type Entries, leavesOf } from './sealed-changes.js'

/** How far books are sealed: the number of the last commit, without gaps, and its hash, which covers all before it. */
export interface Head {
  readonly number: number
  /** In hex. */
  readonly hash: string
}

/** The head before the first commit. */
export const NOTHING_SEALED: Head = { number: 0, hash: '0'.repeat(64) }

/** The vault's hash of a text, keyed with the home's key. */
export type KeyedHash = (text: string, purpose: string) => string

/** Proves that a holder of the key file made a commit, with the names of its rows (a line each). */
export function commitMac(last: string, names: string, keyed: KeyedHash): string {
  return keyed(`${last}\n${names}`, 'books commit')
}

/** The hash of a commit: over the hash of the commit before it, the root of its entries, and its number (8 bytes). */
export function chainHash(previous: string, root: Hash, number: number): string {
  const bytes = Buffer.alloc(72)
  bytes.write(previous, 0, 'hex')
  bytes.write(root, 32, 'latin1')
  bytes.writeBigUInt64BE(BigInt(number), 64)
  return hash('sha256', bytes, 'hex')
}

/** How far a database is sealed. */
export async function lastSealed(tx: Tx): Promise<Head> {
  const [row] = await tx.run(lastStatement, {})
  return row ? { number: row.id, hash: row.hash } : NOTHING_SEALED
}

/** The same of a database that may be new. */
export async function sealedSoFar(tx: Tx): Promise<Head> {
  return (await tableExists(tx, 'seal_log')) ? await lastSealed(tx) : NOTHING_SEALED
}

/** Seals entries as the commit after a head, in the unit of work that changed their rows. Returns the new head. */
export async function appendToLog(tx: Tx, head: Head, entries: Entries, keyed: KeyedHash): Promise<Head> {
  const { names, leaves } = entries
  const number = head.number + 1
  const hash = chainHash(head.hash, rootOf(leaves), number)
  const mac = commitMac(hash, names, keyed)
  await tx.change(insertStatement, { id: number, entries: names, leaves: leavesOf(entries), hash, mac })
  return { number, hash }
}

const lastStatement: Prepared<object, Pick<SealLogRow, 'id' | 'hash'>> = prepared((db) =>
  db.selectFrom('seal_log').select(['id', 'hash']).orderBy('id', 'desc').limit(1),
)

const insertStatement = prepared<SealLogRow, never>((db, param) =>
  db.insertInto('seal_log').values({
    id: param('id'),
    entries: param('entries'),
    leaves: param('leaves'),
    hash: param('hash'),
    mac: param('mac'),
  }),
)
