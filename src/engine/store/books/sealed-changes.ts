import { type Hash, leafHash, packed } from './merkle.js'
import { sealedName, writeRemoved } from './sealed-table.js'
import type { SealedChange } from './sealing.js'

/** The most entries of a commit, so that a commit needs little memory. */
export const MAX_ENTRIES = 4_096

/** Entries that become one commit of the log. */
export interface Entries {
  /** A line for each, as `sealedName` makes it. */
  readonly names: string
  /** The leaf of each, in the same order. */
  readonly leaves: readonly Hash[]
}

/** Changes of sealed tables that units of work have made and that are not sealed yet. */
export class SealedChanges {
  private noted: SealedChange[] = []

  /** How many there are: the point to which `backTo` can return. */
  get count(): number {
    return this.noted.length
  }

  add(changes: readonly SealedChange[]): void {
    for (const change of changes) this.noted.push(change)
  }

  /** Keeps only the first so many changes: the unit of work that made the others was rolled back. */
  backTo(count: number): void {
    this.noted.length = count
  }

  /** Removes all changes and returns their entries, one for each row as it was changed last. */
  take(): Entries[] {
    if (this.noted.length === 0) return []
    const last = new Map<string, SealedChange>()
    for (const change of this.noted)
      last.set(sealedName(change.table.object, change.table.idOf(change.values)), change)
    this.noted = []
    const batches: Entries[] = []
    let names: string[] = []
    let leaves: Hash[] = []
    for (const [name, change] of last) {
      names.push(name)
      leaves.push(leafHash(sealedContent(change)))
      if (names.length < MAX_ENTRIES) continue
      batches.push({ names: names.join('\n'), leaves })
      names = []
      leaves = []
    }
    return names.length === 0 ? batches : [...batches, { names: names.join('\n'), leaves }]
  }
}

/** What is sealed of a change. */
function sealedContent({ table, values, removed }: SealedChange): string {
  return removed ? writeRemoved(table.object, table.idOf(values)) : table.write(values)
}

/** The leaves of entries as the database stores them. */
export function leavesOf({ leaves }: Entries): Buffer {
  return packed(leaves)
}
