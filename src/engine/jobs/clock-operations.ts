import { addDuration, parseDuration } from '../../platform/calendar/duration.js'
import type { Timers } from '../../platform/clock.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { ApiError, invalidAttributes } from '../core/request/api-error.js'
import type { AdminRules, Steps } from '../core/write/rule.js'
import type { Work } from '../core/write/work.js'
import type { DueJob } from './due-job.js'
import type { MovableClock } from './movable-clock.js'
import { runDueJobs } from './run-due-jobs.js'

type ClockRules = Pick<AdminRules, 'read_clock' | 'set_clock' | 'advance_clock'>

/** Reads the jobs of an environment that exist now; jobs with lanes may be added or removed. */
export type JobsOf = (work: Work) => Promise<readonly DueJob[]>

/**
 * Rules of the admin operations that show and move the clock. Without a movable clock (in the live
 * environment) they show the real time.
 */
export function clockRules(clock: MovableClock | undefined, jobsOf: JobsOf, timers: Timers): ClockRules {
  return {
    read_clock: { perform: async (work) => shown(work) },
    set_clock: {
      async performInSteps(steps, input) {
        const movable = required(clock)
        const answer = await steps.write(async (work) => {
          const now = instantToSet(input, work)
          await movable.set(work.tx, now - work.realMilliseconds)
          return shown(work, now)
        })
        await seen(movable, steps)
        return answer
      },
    },
    advance_clock: {
      async performInSteps(steps, input) {
        const movable = required(clock)
        const target = await steps.read(async (work) => instantToReach(input, work))
        const done = steps.dryRun
          ? []
          : await advance(movable, { jobs: await steps.read(jobsOf), timers }, steps, target)
        const answer = await steps.read(async (work) => shown(work, steps.dryRun ? target : undefined))
        return { ...answer, done: done.map(({ at, ...rest }) => ({ at: datetimeOf(at), ...rest })) }
      },
    },
  }
}

/**
 * Moves the clock to `target`, stopping at each moment at which work is due. It stays there until that work
 * is done, but never goes back. After a crash, the next call continues from there.
 *
 * A lane that fails or does not progress is left out; its work stays due. The first failure of a lane is
 * thrown at the end.
 */
async function advance(
  clock: MovableClock,
  { jobs, timers }: { readonly jobs: readonly DueJob[]; readonly timers: Timers },
  steps: Steps,
  target: number,
) {
  const reach = async (moment: number) => {
    await steps.write(async ({ tx }) => await clock.step(tx, moment))
    clock.moved()
  }
  const failures: unknown[] = []
  const failed = ({ lane }: DueJob, error: unknown) => {
    if (lane === undefined) throw error
    failures.push(error)
  }
  try {
    const done = await runDueJobs({ runner: steps.inBackground, jobs, until: target, reach, failed, timers })
    await reach(target)
    if (failures.length > 0) throw failures[0]
    return done
  } finally {
    await steps.write(async ({ tx }) => await clock.arrive(tx))
    await clock.seen()
  }
}

async function seen(clock: MovableClock, { dryRun }: Steps): Promise<void> {
  if (!dryRun) await clock.seen()
}

function required(clock: MovableClock | undefined): MovableClock {
  if (clock) return clock
  throw new ApiError('Forbidden', 'The clock of the live environment shows the real time and is never moved')
}

function instantToSet(
  { now, offset }: { now?: string | null; offset?: number | null },
  { realMilliseconds }: Work,
): number {
  if (typeof now === 'string' && typeof offset === 'number')
    throw invalidAttributes({ offset: 'Must not be given together with now' })
  if (typeof offset === 'number') return inRange(realMilliseconds + offset * 1000, 'offset')
  if (typeof now === 'string') return inRange(millisecondsOf(now), 'now')
  throw invalidAttributes({ now: 'Required' })
}

function instantToReach(
  { by, to }: { by?: string | null; to?: string | null },
  { milliseconds, now }: Work,
): number {
  if (typeof by === 'string' && typeof to === 'string')
    throw invalidAttributes({ by: 'Must not be given together with to' })
  if (typeof by === 'string') {
    const duration = parseDuration(by)
    if (!duration) throw invalidAttributes({ by: 'Must be a duration, such as 1mo, 2w, 3d, 12h or 1y' })
    return inRange(addDuration(milliseconds, duration), 'by')
  }
  if (typeof to !== 'string') throw invalidAttributes({ by: 'Required' })
  if (to < now) throw invalidAttributes({ to: `Must not be before ${now}` })
  return inRange(millisecondsOf(to), 'to')
}

/** Limits of the clock. They leave room on both sides for times computed from it. */
const FIRST = millisecondsOf('1970-01-01 00:00:00')
const LAST = millisecondsOf('2999-12-31 23:59:59')

function inRange(instant: number | undefined, attribute: string): number {
  if (instant !== undefined && instant >= FIRST && instant <= LAST) return instant
  throw invalidAttributes({
    [attribute]: `Must lead to a time from ${datetimeOf(FIRST)} to ${datetimeOf(LAST)}`,
  })
}

function shown({ milliseconds, realMilliseconds }: Work, now = milliseconds) {
  return {
    now: datetimeOf(now),
    offset: Math.round((now - realMilliseconds) / 1000),
    real: datetimeOf(realMilliseconds),
  }
}
