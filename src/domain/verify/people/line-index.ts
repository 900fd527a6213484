/** Number of 32-bit words in a slot. */
const WORDS = 2
const MAX_LOAD = 0.6
/** Maximum number of objects in one index: about 50 MB. */
export const MAX_LINES = 2_500_000

/**
 * The moments at which lines of activity name objects, in bounded memory: a hash of each object and moment. Two that share a
 * hash by chance (one of 2⁶⁴) would be taken for one.
 */
export class LineIndex {
  private slots = 2 ** 12
  private words = new Uint32Array(this.slots * WORDS)
  private count = 0

  /** An index of one part of several. */
  constructor(
    private readonly part: number,
    private readonly parts: number,
  ) {}

  /** Whether an object is in this part. */
  holds(id: string): boolean {
    return this.parts === 1 || hashOf(id, '', SEEDS[1]) % this.parts === this.part
  }

  /** Notes that a line names an object of this part at a moment. */
  add(id: string, at: string): void {
    if (this.count >= this.slots * MAX_LOAD) this.grow()
    this.put(hashOf(id, at, SEEDS[0]), hashOf(id, at, SEEDS[1]))
  }

  has(id: string, at: string): boolean {
    return this.words[this.slotOf(hashOf(id, at, SEEDS[0]), hashOf(id, at, SEEDS[1])) * WORDS] !== 0
  }

  private put(first: number, second: number): void {
    const slot = this.slotOf(first, second)
    if (this.words[slot * WORDS] === 0) this.count++
    this.words[slot * WORDS] = first
    this.words[slot * WORDS + 1] = second
  }

  /** The slot of a hash, or the free one that it would take. */
  private slotOf(first: number, second: number): number {
    const mask = this.slots - 1
    let slot = first & mask
    for (;;) {
      const taken = this.words[slot * WORDS]
      if (taken === 0 || (taken === first && this.words[slot * WORDS + 1] === second)) return slot
      slot = (slot + 1) & mask
    }
  }

  private grow(): void {
    const { words } = this
    this.slots *= 2
    this.words = new Uint32Array(this.slots * WORDS)
    this.count = 0
    for (let at = 0; at < words.length; at += WORDS) {
      const first = words[at] ?? 0
      if (first !== 0) this.put(first, words[at + 1] ?? 0)
    }
  }
}

const SEEDS = [0x811c9dc5, 0x9747b28c] as const

/** A 32-bit hash of an object's id and a moment. The hash is never 0, because 0 marks a free slot. */
function hashOf(id: string, at: string, seed: number): number {
  return mixed(at, mixed(id, seed)) >>> 0 || 1
}

function mixed(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995)
    hash ^= hash >>> 15
  }
  return hash
}
