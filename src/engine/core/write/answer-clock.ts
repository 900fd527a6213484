import type { Clock } from '../../../platform/clock.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import { waitForName } from '../../store/database/differences.js'
import { prepared } from '../../store/database/prepared.js'
import type { Tx } from '../../store/database/store.js'
import type { ClockRow } from '../../store/database/tables.js'

const ID = 'answers'
const HOUR = 3_600_000
/** The most that the real time may have gone on since it was last looked at; `serve` looks each hour. */
const LONGEST_STEP = 2 * HOUR

/**
 * The time by which stored answers age, in milliseconds since 1970. It follows the real time, but no jump of it: back it
 * never goes, and forward by two hours at most each time that the real time is looked at (a jump is counted once, as the
 * new time is remembered with it). So a wrong clock ends no idempotency key early; after a downtime keys last longer.
 */
export class AnswerClock {
  private known: { readonly time: number; readonly since: number } | undefined

  constructor(
    private readonly real: Clock,
    private readonly stopwatch: Clock,
  ) {}

  /** Read from the database once an hour, and measured in between. */
  async at(tx: Tx): Promise<number> {
    const since = this.stopwatch.now()
    if (!this.known || since - this.known.since > HOUR)
      this.known = { time: timeAfter(await lastLook(tx), this.real.now()), since }
    return this.known.time + since - this.known.since
  }

  /** Looks at the real time, and remembers it; answers the time by which answers age now. */
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

/** Before the first look the newest answer says what time it was at least. */
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
