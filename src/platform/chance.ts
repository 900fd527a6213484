/** Source of random numbers that a seed determines (mulberry32). */
export interface Chance {
  /** Whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number
  /** True with a probability of `times` percent. */
  percent(times: number): boolean
  /** Random item of a list; undefined if the list is empty. */
  pick<T>(list: readonly T[]): T | undefined
}

export function seededChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const stirred = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((stirred ^ (stirred >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    integer,
    percent: (times) => integer(0, 99) < times,
    pick: (list) => list[integer(0, list.length - 1)],
  }
}
