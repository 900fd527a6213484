import type { Environment, Tx } from '../../engine/store/database/store.js'
import type { AttemptPurpose, AttemptRow } from '../../engine/store/database/tables.js'
import { type CheckResult, passed, warning } from './check-result.js'

/**
 * Checks whether payers or keys were refused in the last day because they tried too many card or account
 * numbers. Also checks whether a proxy hides the addresses of payers.
 */
export async function checkAttempts(tx: Tx, environment: Environment, now: number): Promise<CheckResult[]> {
  return [
    testing(await refusals(tx, 'card_testing', now), environment),
    guessing(await refusals(tx, 'number_guessing', now), environment),
    proxy(await refusals(tx, 'untrusted_proxy', now)),
  ]
}

function testing(refused: readonly AttemptRow[], environment: Environment): CheckResult {
  const check = 'card testing'
  const places = [...new Set(refused.map(({ what }) => what))]
  if (places.length === 0) return passed(check, 'no payer was refused within a day')
  return warning(
    check,
    `payers were refused within a day, as they tried too many different or declined numbers: ${listed(places)}`,
    `payctl watch --trigger card_testing --last 20 --env ${environment}`,
  )
}

function guessing(refused: readonly AttemptRow[], environment: Environment): CheckResult {
  const check = 'number guessing'
  const keys = [...new Set(refused.map(({ subject }) => subject))]
  if (keys.length === 0) return passed(check, 'no key was refused within a day')
  return warning(
    check,
    `keys were refused within a day, as they filtered by too many numbers: ${listed(keys)}`,
    `payctl watch --trigger number_guessing --last 20 --env ${environment}`,
  )
}

function proxy(noted: readonly AttemptRow[]): CheckResult {
  const check = 'addresses of payers'
  if (noted.length === 0) return passed(check, 'no proxy hides them')
  return warning(
    check,
    'a proxy that is not trusted hides the addresses of payers, so that the numbers they try are not counted by address',
    'payctl serve --trust-proxy loopback',
  )
}

async function refusals({ db }: Tx, purpose: AttemptPurpose, now: number): Promise<AttemptRow[]> {
  return await db
    .selectFrom('attempts')
    .selectAll()
    .where('purpose', '=', purpose)
    .where('until', '>', now)
    .orderBy('until', 'desc')
    .execute()
}

/** First three names, and the number of the others. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
