export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * Median of the ratios `ours / reference` of the rounds. Ratios are taken within a round, because a disturbance of the
 * machine affects both values.
 */
export function ratio(ours: readonly number[], reference: readonly number[]): number {
  return median(ours.map((value, round) => value / (reference[round] ?? Number.NaN)))
}
