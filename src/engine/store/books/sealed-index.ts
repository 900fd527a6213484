import type { Hash } from './merkle.js'

/** Number of 32-bit words in a slot: two for the row's name, four for its digest. */
const WORDS = 6
/** Number of slots of an index whose number of rows is not known. */
const MIN_SLOTS = 2 ** 10
/** Share of the slots that may be taken. */
const MAX_LOAD = 0.7

/**
 * Maximum number of rows in one index, which takes 36 bytes a row, less than 300 MB. For more rows, several indexes are
 * made one after another.
 */
export const MAX_INDEXED = 8_000_000

/**
 * Last digest of each row, in bounded memory: it stores hashes of names and the first bytes of digests. If
 * two rows share a hash by chance, they are reported as a problem; a change is never hidden.
 */
export class SealedIndex {
  private words: Uint32Array
  private seen: Uint8Array
  private slots: number
  /** Number of rows in the index. */
  private count = 0
  private unseenCount = 0

  /** Makes an index of all rows, or of part number `part` of `parts`, with room for `expected` rows of this part. */
  constructor(
    private readonly part = 0,
    private readonly parts = 1,
    expected = 0,
  ) {
    this.slots = Math.max(MIN_SLOTS, Math.ceil(expected / MAX_LOAD) + 1)
    this.words = new Uint32Array(this.slots * WORDS)
    this.seen = new Uint8Array(this.slots)
  }

  /** Number of rows that `find` was not called for yet. */
  get unseen(): number {
    return this.unseenCount
  }

  /** Whether rows with this name belong to this part. */
  holds(name: string): boolean {
    return this.parts === 1 || keyOf(name, SEEDS[1]) % this.parts === this.part
  }

  set(name: string, leaf: Hash): void {
    if (this.count >= this.slots * MAX_LOAD) this.grow()
    const slot = this.slotOf(name)
    if (!this.isTaken(slot)) {
      this.count++
      this.unseenCount++
    }
    this.put(slot, [keyOf(name, SEEDS[0]), keyOf(name, SEEDS[1]), ...digestWords(leaf)])
  }

  /** Whether this is the row's last digest; undefined for an unknown row. Marks the row as seen. */
  find(name: string, leaf: Hash): boolean | undefined {
    const slot = this.slotOf(name)
    if (!this.isTaken(slot)) return undefined
    if (this.seen[slot] === 0) this.unseenCount--
    this.seen[slot] = 1
    return digestWords(leaf).every((word, n) => this.words[slot * WORDS + 2 + n] === word)
  }

  /** Stored digest of a row, in the form of `digestWords`; undefined for an unknown row. */
  digestOf(name: string): Digest | undefined {
    const slot = this.slotOf(name)
    return this.isTaken(slot) ? [...this.words.subarray(slot * WORDS + 2, (slot + 1) * WORDS)] : undefined
  }

  /** Whether the row is in the index and `find` was not called for it. */
  isUnseen(name: string): boolean {
    const slot = this.slotOf(name)
    return this.isTaken(slot) && this.seen[slot] === 0
  }

  /** Slot of a name, or the free slot for it. */
  private slotOf(name: string): number {
    const first = keyOf(name, SEEDS[0])
    const second = keyOf(name, SEEDS[1])
    let slot = this.firstSlot(first)
    while (
      this.isTaken(slot) &&
      !(this.words[slot * WORDS] === first && this.words[slot * WORDS + 1] === second)
    )
      slot = this.slotAfter(slot)
    return slot
  }

  private firstSlot(key: number): number {
    return Math.floor((key / 2 ** 32) * this.slots)
  }

  private slotAfter(slot: number): number {
    return slot + 1 === this.slots ? 0 : slot + 1
  }

  private isTaken(slot: number): boolean {
    return this.words[slot * WORDS] !== 0
  }

  private put(slot: number, words: readonly number[]): void {
    this.words.set(words, slot * WORDS)
  }

  private grow(): void {
    const { words, seen, slots } = this
    this.slots = slots * 2
    this.words = new Uint32Array(this.slots * WORDS)
    this.seen = new Uint8Array(this.slots)
    for (let old = 0; old < slots; old++) {
      const first = words[old * WORDS] ?? 0
      if (first === 0) continue
      let slot = this.firstSlot(first)
      while (this.isTaken(slot)) slot = this.slotAfter(slot)
      this.put(slot, [...words.subarray(old * WORDS, (old + 1) * WORDS)])
      this.seen[slot] = seen[old] ?? 0
    }
  }
}

const SEEDS = [0x811c9dc5, 0x9747b28c] as const

/** 32-bit hash of a name. Never 0, because 0 marks a free slot. */
function keyOf(name: string, seed: number): number {
  let key = seed
  for (let at = 0; at < name.length; at++) {
    key = Math.imul(key ^ name.charCodeAt(at), 0x5bd1e995)
    key ^= key >>> 15
  }
  return key >>> 0 || 1
}

/** First 16 bytes of a digest, as four words. */
export type Digest = readonly number[]

export function digestWords(leaf: Hash): Digest {
  return [0, 4, 8, 12].map(
    (at) =>
      ((leaf.charCodeAt(at) << 24) |
        (leaf.charCodeAt(at + 1) << 16) |
        (leaf.charCodeAt(at + 2) << 8) |
        leaf.charCodeAt(at + 3)) >>>
      0,
  )
}
