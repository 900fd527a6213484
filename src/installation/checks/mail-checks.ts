import type { Environment, Tx } from '../../engine/store/database/store.js'
import { datetimeOf } from '../../schema/datetime.js'
import { type CheckResult, passed, warning } from './check-result.js'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/** Milliseconds after which a message that waits for its first attempt is overdue. */
const OVERDUE = 5 * MINUTE
/** Number of days for which a message that was given up is reported. */
const FAILED_DAYS = 7

/**
 * Checks that mail is sent: no messages were given up, are failing, or are overdue. `now` is the real time.
 */
export async function checkMail(tx: Tx, environment: Environment, now: number): Promise<CheckResult> {
  const check = 'mail'
  const server = await tx.db
    .selectFrom('admin_mail_servers')
    .select('host')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!server) return passed(check, 'off')
  const since = datetimeOf(now - FAILED_DAYS * DAY)
  const failed = await newest(tx, 'failed', since)
  if (failed)
    return warning(
      check,
      failing('given up', failed),
      `payctl mail list --where status=failed --env ${environment}`,
    )
  const waiting = await newest(tx, 'queued', '')
  if (waiting?.problem != null)
    return warning(
      check,
      failing('refused, and tried again', waiting),
      `payctl mail list --where status=queued --env ${environment}`,
    )
  const overdue = await tx.db
    .selectFrom('admin_mail_messages')
    .select('id')
    .where('status', '=', 'queued')
    .where('due_at', '<', now - OVERDUE)
    .limit(1)
    .executeTakeFirst()
  if (overdue) return warning(check, 'messages are overdue', 'payctl serve')
  return passed(check, environment === 'test' ? 'kept, and sent to nobody' : `on, by ${server.host}`)
}

interface Failing {
  readonly count: number
  readonly problem: string | null
}

function failing(what: string, { count, problem }: Failing): string {
  return `${count} ${count === 1 ? 'message was' : 'messages were'} ${what}: ${problem ?? 'no reason is known'}`
}

/**
 * Number of messages with a status and a problem since a time, and the newest problem among them; undefined
 * if there are none.
 */
async function newest({ db }: Tx, status: 'failed' | 'queued', since: string): Promise<Failing | undefined> {
  const messages = db
    .selectFrom('admin_mail_messages')
    .where('status', '=', status)
    .where('created_at', '>=', since)
    .where('problem', 'is not', null)
  const { count } = await messages
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return undefined
  const last = await messages
    .select('problem')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { count: Number(count), problem: last?.problem ?? null }
}
