import type { Environment, Tx } from '../../engine/store/database/store.js'
import { checkAttempts } from './attempt-checks.js'
import { cardEntry } from './card-entry-check.js'
import { type CheckResult, passed, warning } from './check-result.js'
import { checkClientKeys } from './client-key-checks.js'
import { catchUp, checkGateways, failedPayouts, openExceptions, unreadSettlements } from './gateway-checks.js'
import { checkMail } from './mail-checks.js'
import { checkNotifications } from './notification-checks.js'
import { unknownOutcomes } from './unknown-outcomes.js'

const MINUTE = 60_000

/**
 * Checks that the work of an environment proceeds, for `payctl doctor` and `payctl status`. `now` is the
 * real time.
 */
export async function checkWork(tx: Tx, environment: Environment, now: number): Promise<CheckResult[]> {
  return [
    await deliveries(tx, now),
    await checkMail(tx, environment, now),
    ...(await checkGateways(tx, environment)),
    ...(await cardEntry(tx)),
    ...(await unreadSettlements(tx, environment)),
    ...(await failedPayouts(tx, environment)),
    ...(await checkNotifications(tx, environment, now)),
    await unknownOutcomes(tx, environment, now),
    ...(await openExceptions(tx, environment)),
    ...(await catchUp(tx, environment)),
    await schedules(tx, environment),
    ...(await checkClientKeys(tx, environment, now)),
    ...(await checkAttempts(tx, environment, now)),
    await maintenance(tx, environment),
  ]
}

/** Checks that no notification is more than five minutes overdue. */
async function deliveries({ db }: Tx, now: number): Promise<CheckResult> {
  const check = 'webhooks'
  const { count } = await db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('waiting', 'is not', null)
    .where('due_at', '<', now - 5 * MINUTE)
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return passed(check, 'no notification is overdue')
  return warning(check, `${count} notifications are overdue`, 'payctl serve')
}

/** Finds schedules without a frequency, which make no invoices. */
async function schedules({ db }: Tx, environment: Environment): Promise<CheckResult> {
  const check = 'billing schedules'
  const { count } = await db
    .selectFrom('billing_schedules')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('recurring_frequency', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return passed(check, 'each has a frequency')
  return warning(
    check,
    `${count} without recurring_frequency make no invoices`,
    `payctl billing-schedules list --where status=without_frequency --env ${environment}`,
  )
}

async function maintenance({ db }: Tx, environment: Environment): Promise<CheckResult> {
  const check = 'maintenance'
  const row = await db.selectFrom('maintenance').select('since').executeTakeFirst()
  if (!row) return passed(check, 'off')
  return warning(
    check,
    `programs are turned away since ${row.since}`,
    `payctl maintenance off --env ${environment}`,
  )
}
