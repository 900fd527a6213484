import type { Environment, Tx } from '../../engine/store/database/store.js'
import { datetimeOf } from '../../schema/datetime.js'
import { checkAttempts } from './attempt-checks.js'
import { type CheckResult, passed, warning } from './check-result.js'
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
    ...(await clientKeys(tx, environment, now)),
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

/**
 * Gateways whose card numbers are entered on pages of this service, with the consequence for the operator's
 * PCI scope.
 */
async function cardEntry({ db }: Tx): Promise<CheckResult[]> {
  const rows = await db
    .selectFrom('admin_gateways')
    .select('name')
    .where('card_entry', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) =>
    passed(`gateways ${name}`, 'card numbers are typed into pages of payctl for it: SAQ D'),
  )
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

/**
 * Finds client keys of the live environment that pages of any origin may use. A copy of the shop's page on another site
 * could use them, too. `now` is the real time.
 */
async function clientKeys({ db }: Tx, environment: Environment, now: number): Promise<CheckResult[]> {
  if (environment === 'test') return []
  const check = 'client keys'
  const { count } = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('origins', 'is', null)
    .where('fixed', 'is not', null)
    .where('deleted_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', datetimeOf(now))]))
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return [passed(check, 'each has the origins of its pages')]
  return [
    warning(
      check,
      `${count} without origins work in any page`,
      `payctl access-tokens list --env ${environment}`,
    ),
  ]
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
