import { type Hash, leafHash, packed } from './merkle.js'
import type { LoggedEntry } from './read-log.js'
import { sealedName, writeRemoved } from './sealed-table.js'
import type { SealedChange } from './sealing.js'

/** Maximum number of entries in a commit, so that a commit needs little memory. */
export const MAX_ENTRIES = 4_096

/** Entries that become one commit of the log. */
export interface Entries {
  /** Names from `sealedName`, one per line. */
  readonly names: string
  /** Leaf of each entry, in the same order. */
  readonly leaves: readonly Hash[]
  /** Whether one of the rows is a control row, which is compared with its newest seal when it is used. */
  readonly control: boolean
}

/** Changes of sealed tables that are not sealed yet. */
export class SealedChanges {
  private noted: SealedChange[] = []

  /** Number of changes, to which `backTo` can return. */
  get count(): number {
    return this.noted.length
  }

  /** Changes after the first `count`. */
  since(count: number): readonly SealedChange[] {
    return this.noted.slice(count)
  }

  add(changes: readonly SealedChange[]): void {
    for (const change of changes) this.noted.push(change)
  }

  /** Keeps only the first `count` changes; the unit of work that made the others was rolled back. */
  backTo(count: number): void {
    this.noted.length = count
  }

  /** Removes all changes and returns their entries, with one entry per row for its last change. */
  take(): Entries[] {
    if (this.noted.length === 0) return []
    const last = new Map<string, SealedChange>()
    for (const change of this.noted)
      last.set(sealedName(change.table.object, change.table.idOf(change.values)), change)
    this.noted = []
    const batches: Entries[] = []
    let names: string[] = []
    let leaves: Hash[] = []
    let control = false
    const close = () => {
      if (names.length > 0) batches.push({ names: names.join('\n'), leaves, control })
      names = []
      leaves = []
      control = false
    }
    for (const [name, change] of last) {
      names.push(name)
      leaves.push(leafHash(sealedContent(change)))
      control ||= change.table.controls(change.values)
      if (names.length === MAX_ENTRIES) close()
    }
    close()
    return batches
  }

  /** Leaf of a row that was changed and is not sealed yet; undefined if there is none. */
  leafOf(table: string, id: string): Hash | undefined {
    const last = this.noted.findLast(
      (change) => change.table.table === table && change.table.idOf(change.values) === id,
    )
    return last && leafHash(sealedContent(last))
  }
}

/** Content of a change that is sealed. */
function sealedContent({ table, values, removed }: SealedChange): string {
  return removed ? writeRemoved(table.object, table.idOf(values)) : table.write(values)
}

/** Entries in the form that the log stores. */
export function loggedEntries({ names, leaves }: Entries): readonly LoggedEntry[] {
  return names.split('\n').map((name, n) => ({ name, leaf: leaves[n] ?? '' }))
}

/** Leaves of entries as the database stores them. */
export function leavesOf({ leaves }: Entries): Buffer {
  return packed(leaves)
}
