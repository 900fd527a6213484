import type { AdminRules, Steps } from '../../../engine/core/write/rule.js'
import type { DueJob, JobRun } from '../../../engine/jobs/due-job.js'
import type { DueJobsOptions } from '../../../engine/jobs/run-due-jobs.js'
import { runLimited } from '../../../engine/jobs/run-limited.js'
import type { Timers } from '../../../platform/clock.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import type { AutomaticPayments } from '../../payments/take/take-payment.js'
import { collecting } from '../collecting/collecting-job.js'
import { backfillRule } from './backfill.js'
import { billing } from './billing-job.js'
import { BillingReport } from './billing-report.js'
import { planBilling } from './plan-billing.js'

type BillingRules = Pick<AdminRules, 'plan_billing' | 'run_billing' | 'backfill_billing'>

/**
 * Jobs that bill schedules and then collect their invoices. Without a gateway no invoice is collected. Each lane is a
 * remote gateway, and has its own job for the invoices that this gateway charges.
 */
export function billingJobs(
  payments: AutomaticPayments,
  { lanes = [], report }: { readonly lanes?: readonly string[]; readonly report?: BillingReport } = {},
): readonly DueJob[] {
  const collectingIn = (lane?: string) =>
    collecting(payments, (collected) => report?.collected(collected), lane)
  return [billing((billed) => report?.billed(billed)), collectingIn(), ...lanes.map(collectingIn)]
}

/** The admin operations that plan, run and backfill billing. See docs/money.md, "Billing schedules". */
export function billingRules(
  payments: AutomaticPayments,
  runDueJobs: (work: DueJobsOptions) => Promise<readonly JobRun[]>,
  timers: Timers,
): BillingRules {
  const plan = async (steps: Steps) => {
    const report = new BillingReport()
    const collects = await steps.read((work) => payments.isConnected(work))
    await planBilling(steps, { now: millisecondsOf(steps.now), collects, report })
    return { until: steps.now, ...report.shown }
  }
  return {
    plan_billing: { performInSteps: plan },
    run_billing: {
      async performInSteps(steps, { units }) {
        if (steps.dryRun) return { ...(await plan(steps)), finished: 1 }
        const report = new BillingReport()
        const lanes = await steps.read((work) => payments.lanes(work))
        const jobs = billingJobs(payments, { lanes, report })
        const most = units ?? Number.POSITIVE_INFINITY
        const finished = await runLimited(steps.inBackground, most, async (runner) => {
          await runDueJobs({ runner, jobs, until: millisecondsOf(steps.now), timers })
        })
        return { until: steps.now, finished: finished ? 1 : 0, ...report.shown }
      },
    },
    backfill_billing: backfillRule(payments),
  }
}
