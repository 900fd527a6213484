import type { Environment, Tx } from '../../engine/store/database/store.js'
import type { Row } from '../../schema/columns.js'
import { type CheckResult, failed, passed } from './check-result.js'

/** Difference between a row (undefined: missing) and its newest seal, as text; undefined if they match. */
export type SealProblem = (table: string, id: string, row: Row | undefined) => Promise<string | undefined>

/** Maximum number of problems that are listed. */
const MAX_NAMED = 20

/**
 * Checks that gateways, routes, webhooks and bank accounts for deposits match their newest seals. A
 * destination that differs is not used: no data is sent there, and events and deposits wait.
 */
export async function checkDestinations(
  tx: Tx,
  environment: Environment,
  sealProblem: SealProblem,
): Promise<CheckResult[]> {
  const check = 'destinations'
  const verify = `payctl verify --env ${environment}`
  const found: CheckResult[] = []
  for (const { table, id, row } of await destinations(tx)) {
    const problem = await sealProblem(table, id, row)
    if (problem !== undefined) found.push(failed(check, problem, verify))
  }
  const mark = await tx.db.selectFrom('catch_ups').selectAll().executeTakeFirst()
  const problem = await sealProblem('catch_ups', 'catch_up', mark)
  if (problem !== undefined)
    found.push(failed('restore', problem, `payctl gateways catch-up --env ${environment} --since <datetime>`))
  found.push(...(await waitingDeposits(tx, verify)))
  return found.length > 0 ? found.slice(0, MAX_NAMED) : [passed(check, 'as they were sealed')]
}

/** Row of a destination; undefined if it is missing although it may have been sealed. */
interface Destination {
  readonly table: string
  readonly id: string
  readonly row: Row | undefined
}

/**
 * Ids of all possible routes for every account. They are checked even without a row, so that a deleted row
 * is found.
 */
const ROUTES = ['*:*', '*:card', '*:bank_account']

async function destinations({ db }: Tx): Promise<Destination[]> {
  const gateways = await db.selectFrom('admin_gateways').selectAll().where('deleted_at', 'is', null).execute()
  const routes = await db.selectFrom('gateway_routes').selectAll().execute()
  const webhooks = await db.selectFrom('webhooks').selectAll().where('deleted_at', 'is', null).execute()
  const bankAccounts = await db
    .selectFrom('payment_methods')
    .selectAll('payment_methods')
    .innerJoin('accounts', 'accounts.id', 'payment_methods.account_id')
    .where('payment_methods.type', '=', 'bank_account')
    .where('accounts.type', '=', 'processing')
    .where('payment_methods.deleted_at', 'is', null)
    .execute()
  const named = new Set([...ROUTES, ...routes.map(({ id }) => id)])
  const routedTo = new Set([...gateways.map(({ id }) => id), ...routes.map(({ gateway_id: id }) => id)])
  return [
    ...ofTable('gateway_routes', named, routes),
    ...ofTable('admin_gateways', routedTo, gateways),
    ...ofTable(
      'webhooks',
      webhooks.map(({ id }) => id),
      webhooks,
    ),
    ...ofTable(
      'payment_methods',
      bankAccounts.map(({ id }) => id),
      bankAccounts,
    ),
  ]
}

function ofTable(
  table: string,
  ids: Iterable<string>,
  rows: readonly { readonly id: string }[],
): Destination[] {
  const known = new Map(rows.map((row) => [row.id, { ...row }]))
  return [...ids].map((id) => ({ table, id, row: known.get(id) }))
}

/** Processing accounts whose last deposit or bill was not made, with the reason. */
async function waitingDeposits({ db }: Tx, fix: string): Promise<CheckResult[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'processing__deposits_problem as problem'])
    .where('processing__deposits_problem', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(MAX_NAMED)
    .execute()
  return rows.map(({ id, problem }) => failed('deposits', `${id} is not paid out: ${problem}`, fix))
}
