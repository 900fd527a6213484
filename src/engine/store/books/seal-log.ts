import { hash } from 'node:crypto'
import { tableExists } from '../database/differences.js'
import { type Prepared, prepared } from '../database/prepared.js'
import type { Tx } from '../database/store.js'
import type { SealLogRow } from '../database/tables.js'
import { type Hash, rootOf } from './merkle.js'
import { type Entries, leavesOf } from './sealed-changes.js'

/**
 * Last sealed commit of the books: its number, counted without gaps, and its hash, which covers all commits
 * before it.
 */
export interface Head {
  readonly number: number
  /** In hex. */
  readonly hash: string
}

/** Last commit of a log, with all values that the next commit depends on. */
export interface LogEnd extends Head {
  /**
   * Number of the last commit that changed a control row, which is compared with its seal; 0 before the
   * first.
   */
  readonly control: number
}

/** Commits that one unit of work has added after an end of the log. */
export interface SealedCommits {
  readonly from: LogEnd
  readonly commits: readonly { readonly end: LogEnd; readonly entries: Entries }[]
}

/** End of a log without commits. */
export const NOTHING_SEALED: LogEnd = { number: 0, hash: '0'.repeat(64), control: 0 }

/** Hash of a text by the vault, with the home's key. */
export type KeyedHash = (text: string, purpose: string) => string

/**
 * Content of a commit's keyed hash: its own hash, the names of its rows (one per line), and the last
 * commits that changed control rows.
 */
export type CommitContent = Pick<SealLogRow, 'hash' | 'entries' | 'control' | 'control_before'>

/** Keyed hash of a commit. It proves that the commit was made with the key file. */
export function commitMac(content: CommitContent, keyed: KeyedHash): string {
  const { hash: own, entries, control, control_before: before } = content
  return keyed(`${own}\n${control} ${before ?? ''}\n${entries}`, 'books commit')
}

/**
 * Hash of a commit, in hex: over the hash of the commit before it, the root of its entries, and its number
 * (8 bytes).
 */
export function chainHash(previous: string, root: Hash, number: number): string {
  const bytes = Buffer.alloc(72)
  bytes.write(previous, 0, 'hex')
  bytes.write(root, 32, 'latin1')
  bytes.writeBigUInt64BE(BigInt(number), 64)
  return hash('sha256', bytes, 'hex')
}

/** End of a database's log. */
export async function lastSealed(tx: Tx): Promise<LogEnd> {
  const [row] = await tx.run(lastStatement, {})
  return row ? { number: row.id, hash: row.hash, control: row.control } : NOTHING_SEALED
}

/** End of the log of a database that may still be without tables. */
export async function sealedSoFar(tx: Tx): Promise<LogEnd> {
  return (await tableExists(tx, 'seal_log')) ? await lastSealed(tx) : NOTHING_SEALED
}

/** Seals entries as the next commit, in the unit of work that changed their rows. Returns the new end. */
export async function appendToLog(tx: Tx, end: LogEnd, entries: Entries, keyed: KeyedHash): Promise<LogEnd> {
  const { names, leaves } = entries
  const id = end.number + 1
  const control = entries.control ? id : end.control
  const content = {
    hash: chainHash(end.hash, rootOf(leaves), id),
    entries: names,
    control,
    control_before: entries.control ? end.control : null,
  }
  await tx.change(insertStatement, {
    id,
    ...content,
    mac: commitMac(content, keyed),
    leaves: leavesOf(entries),
  })
  return { number: id, hash: content.hash, control }
}

const lastStatement: Prepared<object, Pick<SealLogRow, 'id' | 'hash' | 'control'>> = prepared((db) =>
  db.selectFrom('seal_log').select(['id', 'hash', 'control']).orderBy('id', 'desc').limit(1),
)

const insertStatement = prepared<SealLogRow, never>((db, param) =>
  db.insertInto('seal_log').values({
    id: param('id'),
    entries: param('entries'),
    leaves: param('leaves'),
    hash: param('hash'),
    mac: param('mac'),
    control: param('control'),
    control_before: param('control_before'),
  }),
)
