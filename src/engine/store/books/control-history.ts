import type { Hash } from './merkle.js'
import { type Digest, digestWords, SealedIndex } from './sealed-index.js'

/** Number of replaced digests that are kept, for reads that began shortly before. */
const MAX_REPLACED = 10_000

interface Replaced {
  readonly name: string
  /** Undefined if the row was new. */
  readonly digest: Digest | undefined
  /** Number of the commit that replaced the digest. */
  readonly by: number
}

/** Newest digest of each row, and the digests that were replaced recently. */
export class ControlHistory {
  private readonly index = new SealedIndex()
  private replaced: Replaced[] = []
  /** Commit before which digests are no longer known. */
  private floor = 0

  /** Sets the digest of a row after a commit. */
  set(name: string, leaf: Hash, commit: number): void {
    this.replaced.push({ name, digest: this.index.digestOf(name), by: commit })
    if (this.replaced.length > 2 * MAX_REPLACED) {
      const dropped = this.replaced.splice(0, MAX_REPLACED)
      this.floor = dropped.at(-1)?.by ?? this.floor
    }
    this.index.set(name, leaf)
  }

  /** Forgets replaced digests: everything set so far was read from the log and is not a recent change. */
  begin(commit: number): void {
    this.replaced = []
    this.floor = commit
  }

  /** Whether a row had this digest after a commit; undefined if the row was not sealed by then. */
  isDigest(name: string, leaf: Hash, commit: number): boolean | undefined {
    const isNewest = (this.replaced.at(-1)?.by ?? 0) <= commit
    const later = isNewest ? undefined : this.replaced.find((each) => each.by > commit && each.name === name)
    const digest = later ? later.digest : this.index.digestOf(name)
    return digest && isSame(digest, leaf)
  }

  /** Whether the digests after a commit are still known. */
  knows(commit: number): boolean {
    return commit >= this.floor
  }

  /** Whether a row recently had this digest. */
  wasDigest(name: string, leaf: Hash): boolean {
    return this.replaced.some(({ name: of, digest }) => of === name && digest && isSame(digest, leaf))
  }
}

function isSame(digest: Digest, leaf: Hash): boolean {
  return digestWords(leaf).every((word, n) => word === digest[n])
}
