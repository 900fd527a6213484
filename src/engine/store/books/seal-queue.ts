import { hash } from 'node:crypto'
import { equalsInConstantTime } from '../../../platform/constant-time.js'
import { type Prepared, prepared } from '../database/prepared.js'
import type { Tx } from '../database/store.js'
import type { SealQueueRow } from '../database/tables.js'
import { unpacked } from './merkle.js'
import type { KeyedHash } from './seal-log.js'
import { type Entries, leavesOf, MAX_ENTRIES } from './sealed-changes.js'

/** Entries as the queue stores them until they are sealed. */
export type QueuedEntries = Omit<SealQueueRow, 'id'>

/** Maximum number of queue rows that are taken at once. */
export const MAX_TAKEN = 1_000

export function queuedEntries(entries: Entries, keyed: KeyedHash): QueuedEntries {
  const content = {
    entries: entries.names,
    leaves: leavesOf(entries),
    control: entries.control ? 1 : null,
  }
  return { ...content, mac: keyed(contentHash(content), QUEUE_PURPOSE) }
}

/** Whether a queue row was written with the key file. */
export function isGenuine(queued: QueuedEntries, keyed: KeyedHash): boolean {
  return equalsInConstantTime(queued.mac, keyed(contentHash(queued), QUEUE_PURPOSE))
}

/**
 * Takes the oldest entries out of the queue, to be sealed in the same unit of work. Returns them with the
 * number of queue rows. Rows that were not written with the home's key stay in the queue.
 */
export async function takeQueued(tx: Tx, keyed: KeyedHash): Promise<{ batches: Entries[]; count: number }> {
  const rows = await tx.run(waitingStatement, {})
  const genuine = rows.filter((row) => isGenuine(row, keyed))
  const ids = genuine.map(({ id }) => id)
  if (ids.length > 0) await tx.db.deleteFrom('seal_queue').where('id', 'in', ids).execute()
  return { batches: joined(genuine), count: genuine.length }
}

/** Entries of many units of work, joined into few commits. */
function joined(rows: readonly QueuedEntries[]): Entries[] {
  const batches: { names: string; leaves: string[]; control: boolean }[] = []
  for (const { entries, leaves, control } of rows) {
    const last = batches.at(-1)
    const hashes = unpacked(leaves)
    if (!last || last.leaves.length + hashes.length > MAX_ENTRIES)
      batches.push({ names: entries, leaves: hashes, control: control !== null })
    else {
      last.names += `\n${entries}`
      last.leaves.push(...hashes)
      last.control ||= control !== null
    }
  }
  return batches
}

const QUEUE_PURPOSE = 'books queue'

function contentHash({ entries, leaves, control }: Omit<QueuedEntries, 'mac'>): string {
  return hash('sha256', `${control ?? ''}\0${entries}\0${leaves.toString('hex')}`, 'hex')
}

const waitingStatement: Prepared<object, Omit<SealQueueRow, 'id'> & { id: number }> = prepared((db) =>
  db.selectFrom('seal_queue').selectAll().orderBy('id').limit(MAX_TAKEN),
)
