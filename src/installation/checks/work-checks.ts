import type { Environment, Tx } from '../../engine/store/database/store.js'
import { timeOfId } from '../../schema/id-time.js'
import { checkAttempts } from './attempt-checks.js'
import { cardEntry } from './card-entry-check.js'
import { type CheckResult, failed, passed, warning } from './check-result.js'
import { checkClientKeys } from './client-key-checks.js'
import { catchUp, checkGateways, openExceptions, unreadSettlements } from './gateway-checks.js'
import { checkMail } from './mail-checks.js'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/** Milliseconds after which an outcome should be known: beyond the horizon of every rail, with time for a query. */
export const UNKNOWN_AFTER = 20 * MINUTE

/**
 * Checks that the work of an environment proceeds, for both `payctl doctor` and `payctl status`. `now` is the real
 * time.
 */
export async function checkWork(tx: Tx, environment: Environment, now: number): Promise<CheckResult[]> {
  return [
    await deliveries(tx, now),
    await checkMail(tx, environment, now),
    ...(await checkGateways(tx, environment)),
    ...(await cardEntry(tx)),
    ...(await unreadSettlements(tx, environment)),
    await operations(tx, environment, now),
    ...(await openExceptions(tx, environment)),
    ...(await catchUp(tx, environment)),
    await schedules(tx, environment),
    ...(await checkClientKeys(tx, environment, now)),
    ...(await checkAttempts(tx, environment, now)),
    await maintenance(tx, environment),
  ]
}

/** Whether notifications are more than five minutes overdue. */
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
 * Checks for operations without an outcome after longer than any rail's horizon. An operation that the gateway
 * decides later, such as a bank payment, is pending for days. A refund that waits for its payment to settle was not
 * sent yet.
 */
async function operations({ db }: Tx, environment: Environment, now: number): Promise<CheckResult> {
  const check = 'transactions'
  const rows = await db
    .selectFrom('transactions')
    .select(['id', 'status', 'gateway_id', 'pending_operation'])
    .where('pending_operation', 'is not', null)
    .execute()
  const stuck = rows.filter(({ id, status, gateway_id: known, pending_operation: open }) => {
    const [kind, ...named] = open?.split(':') ?? []
    // The row of the refund itself has its state.
    if (kind === 'refunding' || named.includes('unsent')) return false
    const isPending = status === 'processing' && known !== null
    // The time of a later operation on a payment is in its own reference.
    const reference = named.find((name) => name.startsWith('op_')) ?? id
    return now - timeOfId(reference) > (isPending ? 10 * DAY : UNKNOWN_AFTER)
  })
  // SQLite would read the whole table in the order of its ids for an oldest one.
  const [first] = stuck.toSorted((a, b) => Number(a.id > b.id) - Number(a.id < b.id))
  if (!first) return passed(check, 'no outcome is unknown')
  return failed(
    check,
    `${stuck.length} outcomes are unknown, the oldest is ${first.id}; serve asks the gateway each minute`,
    `payctl transactions explain ${first.id} --env ${environment}`,
  )
}

/** Finds schedules without a frequency, which make no invoice. */
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
