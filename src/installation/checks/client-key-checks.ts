import type { Environment, Tx } from '../../engine/store/database/store.js'
import { datetimeOf } from '../../schema/datetime.js'
import { type CheckResult, passed, warning } from './check-result.js'

/**
 * Finds client keys of the live environment that pages of any origin may use. A copy of the shop's page on another site
 * could use them, too. `now` is the real time.
 */
export async function checkClientKeys(
  { db }: Tx,
  environment: Environment,
  now: number,
): Promise<CheckResult[]> {
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
