import { median, ratio } from './median.js'
import type { Goal, Row } from './table.js'

/** One round of one side. */
export interface Sample {
  readonly perSecond: number
  /** Microseconds of CPU an operation, of the process that does it. */
  readonly cpu: number
}

interface Claim {
  readonly what: string
  readonly reference: string
  readonly goal?: Goal
}

/** A claim about rates, from rounds of both sides: what disturbs the machine disturbs both of a round. */
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

/** CPU an operation: medians, and the median of the ratios. */
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
