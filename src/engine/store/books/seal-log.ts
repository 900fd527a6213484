import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { tableExists } from '../database/differences.js'
import { type Prepared, prepared } from '../database/prepared.js'
import type { Tx } from '../database/store.js'
import type { SealLogRow } from '../database/tables.js'
import { type Hash, rootOf } from './merkle.js'
import { packNames } from './packed-names.js'
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

/** The same of a database that may be from before there was sealing. */
export async function sealedSoFar(tx: Tx): Promise<Head> {
  return (await tableExists(tx, 'seal_log')) ? await lastSealed(tx) : NOTHING_SEALED
}

/** Seals entries as the commit after a head, in the unit of work that changed their rows. Returns the new head. */
export async function appendToLog(tx: Tx, head: Head, entries: Entries, keyed: KeyedHash): Promise<Head> {
  const commit = commitAfter(head, entries, keyed)
  await tx.change(insertPacked, { names: packNames(entries.names), ...commit })
  return { number: commit.id, hash: commit.hash }
}

/** The same as older versions do it: for migrations, whose log may have no other column yet. */
export async function appendAsText(tx: Tx, head: Head, entries: Entries, keyed: KeyedHash): Promise<Head> {
  const commit = commitAfter(head, entries, keyed)
  await tx.change(insertText, { ...commit, names: entries.names })
  return { number: commit.id, hash: commit.hash }
}

function commitAfter(head: Head, entries: Entries, keyed: KeyedHash): Commit {
  const id = head.number + 1
  const hash = chainHash(head.hash, rootOf(entries.leaves), id)
  return { id, leaves: leavesOf(entries), hash, mac: commitMac(hash, entries.names, keyed) }
}

type Commit = Omit<SealLogRow, 'entries' | 'packed_names'>

const lastStatement: Prepared<object, Pick<SealLogRow, 'id' | 'hash'>> = prepared((db) =>
  db.selectFrom('seal_log').select(['id', 'hash']).orderBy('id', 'desc').limit(1),
)

const insertPacked = prepared<Commit & { names: Buffer }, never>((db, param) =>
  db.insertInto('seal_log').values({
    id: param('id'),
    entries: sql.lit(''),
    packed_names: param('names'),
    leaves: param('leaves'),
    hash: param('hash'),
    mac: param('mac'),
  }),
)

const insertText = prepared<Commit & { names: string }, never>((db, param) =>
  db.insertInto('seal_log').values({
    id: param('id'),
    entries: param('names'),
    leaves: param('leaves'),
    hash: param('hash'),
    mac: param('mac'),
  }),
)
