import type { Environment, Tx } from '../../engine/store/database/store.js'
import { moneyWithCurrency } from '../../schema/money.js'
import { type CheckResult, failed, passed, warning } from './check-result.js'

/** Checks that gateways accept their credentials and can be reached, and that new payments have a route. */
export async function checkGateways({ db }: Tx, environment: Environment): Promise<CheckResult[]> {
  const check = 'gateways'
  const rows = await db
    .selectFrom('admin_gateways')
    .select(['id', 'name', 'status'])
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
  if (rows.length === 0) return [passed(check, 'none is connected')]
  const causes = await db.selectFrom('gateway_circuits').selectAll().orderBy('id').execute()
  const troubled = rows.flatMap(({ id, name, status }) => {
    const of = `${check} ${name}`
    const fix = `payctl gateways test ${name} --env ${environment}`
    const own = causes.filter(({ gateway_id: gatewayId }) => gatewayId === id)
    if (own.length > 0)
      return own.map(({ scope, since, problem }) => {
        const isWhole = scope === 'gateway' || scope === 'unreachable'
        return failed(of, isWhole ? `since ${since} nothing of it works: ${problem}` : problem, fix)
      })
    if (status !== 'paused') return []
    return [warning(of, 'takes no new operations', `payctl gateways resume ${name} --env ${environment}`)]
  })
  const { routes } = await db
    .selectFrom('gateway_routes')
    .select(({ fn }) => fn.countAll<number | string>().as('routes'))
    .executeTakeFirstOrThrow()
  const [first] = rows
  if (environment === 'live' && Number(routes) === 0 && first)
    troubled.push(
      warning(check, 'no payment goes to any', `payctl gateways route --env live --default ${first.name}`),
    )
  return troubled.length > 0 ? troubled : [passed(check, `${rows.length} connected`)]
}

/** Finds gateways whose settlements cannot be read to their end. */
export async function unreadSettlements({ db }: Tx, environment: Environment): Promise<CheckResult[]> {
  const rows = await db
    .selectFrom('admin_gateways')
    .select(['name', 'settlements_problem'])
    .where('settlements_problem', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name, settlements_problem: problem }) =>
    warning(
      `gateways ${name}`,
      `its settlements are not read: ${problem}`,
      `payctl gateways show ${name} --env ${environment}`,
    ),
  )
}

/**
 * Payouts that did not arrive and whose exception is open. An operator, or a later payout of the same
 * money, resolves it.
 */
export async function failedPayouts({ db }: Tx, environment: Environment): Promise<CheckResult[]> {
  const rows = await db
    .selectFrom('admin_exceptions as e')
    .leftJoin('admin_settlements as s', (join) =>
      join.onRef('s.gateway_id', '=', 'e.gateway_id').onRef('s.gateway', '=', 'e.gateway'),
    )
    .select(['e.id', 'e.gateway', 'e.gateway_id', 'e.amount', 'e.happened', 's.failure'])
    .where('e.kind', '=', 'payout_failed')
    .where('e.status', '=', 'open')
    .orderBy('e.id')
    .execute()
  return rows.map(({ id, gateway, gateway_id: payout, amount, happened, failure }) =>
    failed(
      `payouts ${gateway}`,
      failure === null
        ? (happened ?? `the payout ${payout} failed`)
        : `${payout} of ${moneyWithCurrency(amount ?? 0)} did not arrive (${failure})`,
      `payctl exceptions show ${id} --env ${environment}`,
    ),
  )
}

/** Checks whether exceptions wait for a decision. */
export async function openExceptions({ db }: Tx, environment: Environment): Promise<CheckResult[]> {
  const check = 'exceptions'
  const rows = await db
    .selectFrom('admin_exceptions')
    .select(['id', 'created_at'])
    .where('status', '=', 'open')
    .orderBy('id')
    .execute()
  const [first] = rows
  if (!first) return [passed(check, 'none is open')]
  return [
    warning(
      check,
      `${rows.length} wait to be decided, the oldest since ${first.created_at}`,
      `payctl exceptions list --env ${environment} --where status=open`,
    ),
  ]
}

/**
 * Failure while a catch-up is unfinished: gateways have not yet reported the operations that a restored
 * database lacks. No result without a catch-up.
 */
export async function catchUp({ db }: Tx, environment: Environment): Promise<CheckResult[]> {
  const row = await db.selectFrom('catch_ups').select(['since']).executeTakeFirst()
  if (!row) return []
  return [
    failed(
      'restore',
      `nothing is sent to gateways until they were asked what happened since ${row.since}`,
      `payctl gateways catch-up --env ${environment}`,
    ),
  ]
}
