import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules, Steps } from '../../engine/core/write/rule.js'
import type { DueJob } from '../../engine/jobs/due-job.js'
import { runDueJobs } from '../../engine/jobs/run-due-jobs.js'
import { runLimited } from '../../engine/jobs/run-limited.js'
import { businessDay, DEFAULT_CUT_OFF } from '../../platform/calendar/cut-off.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { monthlyBillJob } from './bill-month.js'
import { cutOffJob } from './cut-off-job.js'
import { fundingPlan } from './funding-plan.js'
import { type FundingListener, FundingSummary } from './funding-summary.js'
import { depositJob } from './make-deposit.js'
import type { PlannedBatch } from './plan-account.js'

/** Time from the cut-off to the deposits, in milliseconds. */
const HOUR = 3_600_000

/** Milliseconds between jobs, so that each runs after the one whose results it needs. */
const MOMENT = 1

/** Jobs that end business days, make their deposits, and bill months. See docs/money.md, "Cut-off and deposits". */
export function settlementJobs(): readonly DueJob[] {
  return [cutOffJob(), depositJob(HOUR), monthlyBillJob(HOUR + MOMENT)]
}

/** The jobs for a run by hand, which does not wait for the hour to pass. */
function settlementJobsAtOnce(listener: FundingListener): readonly DueJob[] {
  return [cutOffJob(listener), depositJob(MOMENT, listener), monthlyBillJob(LAST_DELAY, listener)]
}
const LAST_DELAY = 2 * MOMENT

/** Admin operations with which operators plan and run funding. See docs/money.md, "Cut-off and deposits". */
export const fundingRules: Pick<AdminRules, 'plan_funding' | 'run_funding'> = {
  plan_funding: {
    async performInSteps(steps, { date }) {
      const until = untilOf(steps, date)
      const planned = await fundingPlan(steps, datetimeOf(until))
      return { until: datetimeOf(until), ...shownPlan(planned) }
    },
  },
  run_funding: {
    async performInSteps(steps, { date, units }) {
      const until = untilOf(steps, date)
      const shown = { until: datetimeOf(until), captured: 0, finished: 1 }
      if (steps.dryRun) return { ...shown, ...shownPlan(await fundingPlan(steps, shown.until)) }
      const summary = new FundingSummary()
      const jobs = settlementJobsAtOnce(summary)
      const finished = await runLimited(steps, units ?? Number.POSITIVE_INFINITY, async (runner) => {
        await runDueJobs({ runner, jobs, until: until + LAST_DELAY })
      })
      return { ...shown, ...summary.shown, finished: finished ? 1 : 0 }
    },
  },
}

function shownPlan(planned: readonly PlannedBatch[]) {
  return {
    transactions: planned.reduce((sum, { transactions }) => sum + transactions, 0),
    deposits: planned.map(({ processingId, ...rest }) => ({
      transaction_id: null,
      processing_id: processingId,
      ...rest,
    })),
  }
}

/**
 * Time up to which a run works, in milliseconds since 1970: now, or the end of a past business day in New York.
 * Throws `InvalidAttributes`.
 */
function untilOf({ now }: Steps, date: string | null | undefined): number {
  const present = millisecondsOf(now)
  if (!date) return present
  const { endsAt } = businessDay(DEFAULT_CUT_OFF, date)
  if (endsAt > present)
    throw invalidAttributes({ date: `Must be a day that is over: it ends at ${datetimeOf(endsAt)}` })
  return endsAt
}
