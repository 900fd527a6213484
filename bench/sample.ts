import { median, ratio } from './median.js'
import type { Goal, Row } from './table.js'

/** Result of one round, for payctl or for the reference. */
export interface Sample {
  readonly perSecond: number
  /** CPU time per operation in the measured process, in microseconds. */
  readonly cpu: number
}

interface Claim {
  readonly what: string
  readonly reference: string
  readonly goal?: Goal
}

/**
 * Row of a claim about rates. Ratios are taken within each round, because a disturbance of the machine affects both
 * sides of a round.
 */
export function compared(claim: Claim, ours: readonly Sample[], theirs: readonly Sample[]): Row {
  const [own, other] = [ours, theirs].map((samples) => samples.map(({ perSecond }) => perSecond))
  return {
    ...claim,
    ours: `${Math.round(median(own ?? []))}/s`,
    theirs: `${Math.round(median(other ?? []))}/s`,
    ratio: ratio(own ?? [], other ?? []),
    cpu: cpuOf(ours, theirs),
  }
}

/** CPU time per operation: the median of each side, and the median of the ratios. */
export function cpuOf(
  ours: readonly Pick<Sample, 'cpu'>[],
  theirs: readonly Pick<Sample, 'cpu'>[],
): NonNullable<Row['cpu']> {
  const [own, other] = [ours, theirs].map((samples) => samples.map(({ cpu }) => cpu))
  return {
    ours: Math.round(median(own ?? [])),
    theirs: Math.round(median(other ?? [])),
    ratio: ratio(own ?? [], other ?? []),
  }
}
