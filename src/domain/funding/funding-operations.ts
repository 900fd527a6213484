import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { AdminRules, Steps } from '../../engine/core/write/rule.js'
import type { JobRun } from '../../engine/jobs/job.js'
import type { DueJobsOptions } from '../../engine/jobs/run-due-jobs.js'
import { businessDay, DEFAULT_CUT_OFF } from '../../platform/calendar/cut-off.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { pausing } from './pausing.js'
import { planFunding } from './plan.js'
import type { Planned } from './plan-account.js'
import { settlementAtOnce, WITHIN } from './settlement.js'
import { Tally } from './tally.js'

type FundingRules = Pick<AdminRules, 'plan_funding' | 'run_funding'>

/** Funding as operators plan and run it; `runDueJobs` does jobs in the order of time. Money: "Ledger, deposits, journal". */
export function fundingRules(runDueJobs: (work: DueJobsOptions) => Promise<readonly JobRun[]>): FundingRules {
  return {
    plan_funding: {
      async performInSteps(steps, { date }) {
        const until = untilOf(steps, date)
        const planned = await planFunding(steps, datetimeOf(until))
        return { until: datetimeOf(until), ...shownPlan(planned) }
      },
    },
    run_funding: {
      async performInSteps(steps, { date, units }) {
        const until = untilOf(steps, date)
        const shown = { until: datetimeOf(until), captured: 0, finished: 1 }
        if (steps.dryRun) return { ...shown, ...shownPlan(await planFunding(steps, shown.until)) }
        const tally = new Tally()
        const jobs = settlementAtOnce(tally)
        const finished = await pausing(steps, units ?? Number.POSITIVE_INFINITY, async (runner) => {
          await runDueJobs({ runner, jobs, until: until + WITHIN })
        })
        return { ...shown, ...tally.counts, finished: finished ? 1 : 0 }
      },
    },
  }
}

function shownPlan(planned: readonly Planned[]) {
  return {
    transactions: planned.reduce((sum, { transactions }) => sum + transactions, 0),
    deposits: planned.map(({ processingId, ...rest }) => ({
      transaction_id: null,
      processing_id: processingId,
      ...rest,
    })),
  }
}

/** Until when: now, or the end of a business day in New York that is over. Throws `InvalidAttributes`. */
function untilOf({ now }: Steps, date: string | null | undefined): number {
  const present = millisecondsOf(now)
  if (!date) return present
  const { endsAt } = businessDay(DEFAULT_CUT_OFF, date)
  if (endsAt > present)
    throw invalidAttributes({ date: `Must be a day that is over: it ends at ${datetimeOf(endsAt)}` })
  return endsAt
}
