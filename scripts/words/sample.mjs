/** Share of each kind of passage in a sample. */
const SHARES = [
  { kinds: ['docstring', 'comment'], share: 60 / 140 },
  { kinds: ['page'], share: 40 / 140 },
  { kinds: ['title'], share: 40 / 140 },
]

/** Draws random passages. The result depends only on the seed and the passages. */
export function drawn(passages, size, seed) {
  const random = randomBy(seed)
  return SHARES.flatMap(({ kinds, share }) => {
    const left = passages.filter(({ kind }) => kinds.includes(kind))
    const count = Math.min(left.length, Math.round(size * share))
    return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0])
  })
}

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
function randomBy(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
