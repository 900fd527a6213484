import type { Clock } from '../../../platform/clock.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import { waitForName } from '../../store/database/differences.js'
import { prepared } from '../../store/database/prepared.js'
import type { Tx } from '../../store/database/store.js'
import type { ClockRow } from '../../store/database/tables.js'

const ID = 'answers'
const HOUR = 3_600_000
/** Maximum time that the clock advances between two looks at the real time. `serve` looks every hour. */
const LONGEST_STEP = 2 * HOUR

/**
 * Clock by which stored answers age, in milliseconds since 1970. It follows the real time but ignores large
 * jumps. It never goes back, and it advances by two hours at most between two looks at the real time. A
 * wrong system clock therefore never ends an idempotency key early. After a downtime, keys last longer.
 */
export class AnswerClock {
  private known: { readonly time: number; readonly since: number } | undefined

  constructor(
    private readonly real: Clock,
    private readonly stopwatch: Clock,
  ) {}

  /**
   * Current time of this clock. The last look is stored; it is read from the database once an hour; a
   * stopwatch measures the time in between.
   */
  async at(tx: Tx): Promise<number> {
    const since = this.stopwatch.now()
    if (!this.known || since - this.known.since > HOUR)
      this.known = { time: timeAfter(await lastLook(tx), this.real.now()), since }
    return this.known.time + since - this.known.since
  }

  /** Compares the clock with the real time and stores the result. Returns the current time of this clock. */
  async look(tx: Tx): Promise<number> {
    await waitForName(tx, 'clock of answers')
    const now = this.real.now()
    const time = timeAfter((await lastLook(tx)) ?? (await newestAnswer(tx)), now)
    const looked = { offset_milliseconds: time - now, advancing_until: now }
    await tx.db
      .insertInto('clock')
      .values({ id: ID, ...looked })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(looked))
      .execute()
    this.known = undefined
    return time
  }
}

type Look = Pick<ClockRow, 'offset_milliseconds' | 'advancing_until'>

async function lastLook(tx: Tx): Promise<Look | undefined> {
  const [row] = await tx.run(rowOfAnswers, {})
  return row
}

const rowOfAnswers = prepared<object, ClockRow>((db) =>
  db.selectFrom('clock').selectAll().where('id', '=', ID),
)

/**
 * Replaces a missing first look at the real time: the current time is not earlier than the newest stored
 * answer.
 */
async function newestAnswer({ db }: Tx): Promise<Look | undefined> {
  const newest = await db
    .selectFrom('idempotency_records')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest && { offset_milliseconds: 0, advancing_until: millisecondsOf(newest.created_at) }
}

function timeAfter(last: Look | undefined, now: number): number {
  if (!last) return now
  const { offset_milliseconds: offset, advancing_until: seen } = last
  if (seen === null) return now
  return seen + offset + Math.min(Math.max(now - seen, 0), LONGEST_STEP)
}
