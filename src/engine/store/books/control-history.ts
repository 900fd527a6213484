import type { Hash } from './merkle.js'
import { type Digest, digestWords, SealedIndex } from './sealed-index.js'

/** Replaced digests that are remembered, for reads of a moment ago. */
const MAX_REPLACED = 10_000

interface Replaced {
  readonly name: string
  /** Undefined where the row was new. */
  readonly digest: Digest | undefined
  /** The commit that replaced it. */
  readonly by: number
}

/** The newest digest of each row, and those that were replaced lately. */
export class ControlHistory {
  private readonly index = new SealedIndex()
  private replaced: Replaced[] = []
  /** Digests of earlier commits are not known any more. */
  private floor = 0

  /** Sets the digest of a row as a commit left it. */
  set(name: string, leaf: Hash, commit: number): void {
    this.replaced.push({ name, digest: this.index.digestOf(name), by: commit })
    if (this.replaced.length > 2 * MAX_REPLACED) {
      const dropped = this.replaced.splice(0, MAX_REPLACED)
      this.floor = dropped.at(-1)?.by ?? this.floor
    }
    this.index.set(name, leaf)
  }

  /** Begins anew: what was set until now was read, and is no change of a moment ago. */
  begin(commit: number): void {
    this.replaced = []
    this.floor = commit
  }

  /** Whether the digest of a row after a commit is this one; undefined where the row was not sealed then. */
  isDigest(name: string, leaf: Hash, commit: number): boolean | undefined {
    const isNewest = (this.replaced.at(-1)?.by ?? 0) <= commit
    const later = isNewest ? undefined : this.replaced.find((each) => each.by > commit && each.name === name)
    const digest = later ? later.digest : this.index.digestOf(name)
    return digest && isSame(digest, leaf)
  }

  /** Whether it still knows the digests after a commit. */
  knows(commit: number): boolean {
    return commit >= this.floor
  }

  /** Whether this was a digest of a row until lately. */
  wasDigest(name: string, leaf: Hash): boolean {
    return this.replaced.some(({ name: of, digest }) => of === name && digest && isSame(digest, leaf))
  }
}

function isSame(digest: Digest, leaf: Hash): boolean {
  return digestWords(leaf).every((word, n) => word === digest[n])
}
