import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Minor } from '../../schema/money.js'

/** Result of the risk check of a payment, made before the gateway sees it. */
export interface Risk {
  readonly flag: NonNullable<TransactionRow['risk_flag']>
  /** A number from 0 to 1, in ten-thousandths. */
  readonly score: number
}

/** Facts about a payment and those before it. */
export interface RiskFacts {
  readonly amount: Minor
  /** Earlier payments by the same card or bank account, within an hour and within a day. */
  readonly methodInHour: number
  readonly methodInDay: number
  /** Earlier payments of the same customer within a day. */
  readonly customerInDay: number
  /** Average amount of the processing account's last payments, and their number. */
  readonly average: Minor
  readonly known: number
  /** Whether the postal codes of shipping and billing differ. */
  readonly isShippedElsewhere: boolean
}

export const UNCHECKED: Risk = { flag: 'allowed', score: 0 }

/** Scores from which a payment is held for review, and above which it is refused. */
const REVIEWED = 7_000
const REFUSED = 9_000
const CERTAIN = 10_000
/** Number of earlier payments that are needed to judge whether an amount stands out. */
const HISTORY = 10

/** Adds up the scores of all rules; the sum is at most 1. See docs/money.md, "Before a payment is taken". */
export function assessRisk(facts: RiskFacts): Risk {
  const sum =
    step(facts.methodInHour, [5, 3_000], [10, 5_000], [20, 8_000]) +
    step(facts.methodInDay, [20, 3_000], [50, 5_000]) +
    step(facts.customerInDay, [20, 2_000], [50, 4_000]) +
    (facts.isShippedElsewhere ? 2_000 : 0) +
    (facts.known >= HISTORY ? step(facts.amount / Math.max(facts.average, 1), [3, 1_000], [10, 3_000]) : 0)
  const score = Math.min(sum, CERTAIN)
  return { flag: flagOf(score), score }
}

function flagOf(score: number): Risk['flag'] {
  if (score > REFUSED) return 'denied'
  return score >= REVIEWED ? 'in_review' : 'allowed'
}

/**
 * Score of a rule. `steps` are thresholds with scores, in ascending order; the highest threshold that the value
 * reaches decides.
 */
function step(value: number, ...steps: readonly (readonly [from: number, adds: number])[]): number {
  return steps.findLast(([from]) => value >= from)?.[1] ?? 0
}
