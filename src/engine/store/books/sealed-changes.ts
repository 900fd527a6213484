import { type Hash, leafHash, packed } from './merkle.js'
import type { SealedChange } from './sealed-statement.js'
import { sealedName, writeRemoved } from './sealed-table.js'

/** So many entries are sealed together at most, so that none of them needs much memory. */
export const MAX_ENTRIES = 4_096

/** Entries of the log that are sealed together. */
export interface Entries {
  /** A line for each: what the row is, a blank, its id. */
  readonly names: string
  /** The leaf of each, in the same order. */
  readonly leaves: readonly Hash[]
}

/** The changes that works made to sealed tables and that are not sealed yet. */
export class SealedChanges {
  private noted: SealedChange[] = []

  /** How many there are, to go back to. */
  get count(): number {
    return this.noted.length
  }

  add(changes: readonly SealedChange[]): void {
    for (const change of changes) this.noted.push(change)
  }

  /** Forgets all but the first so many: the work that made them was rolled back. */
  backTo(count: number): void {
    this.noted.length = count
  }

  /** The entries of all changes, each row as it was left last; none are left. */
  take(): Entries[] {
    if (this.noted.length === 0) return []
    const last = new Map<string, SealedChange>()
    for (const change of this.noted)
      last.set(sealedName(change.table.object, change.table.idOf(change.values)), change)
    this.noted = []
    const all = [...last]
    const batches: Entries[] = []
    for (let start = 0; start < all.length; start += MAX_ENTRIES)
      batches.push(entriesOf(all.slice(start, start + MAX_ENTRIES)))
    return batches
  }
}

function entriesOf(changes: readonly (readonly [name: string, change: SealedChange])[]): Entries {
  return {
    names: changes.map(([name]) => name).join('\n'),
    leaves: changes.map(([, change]) => leafHash(sealedContent(change))),
  }
}

/** What a change leaves, as it is sealed. */
function sealedContent({ table, values, removed }: SealedChange): string {
  return removed ? writeRemoved(table.object, table.idOf(values)) : table.write(values)
}

/** The leaves of entries as they are stored. */
export function leavesOf({ leaves }: Entries): Buffer {
  return packed(leaves)
}
