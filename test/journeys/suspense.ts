import type { App } from '../../src/app.js'
import type { Environment } from '../../src/engine/store/database/store.js'

const TABLES = ['postings', 'settlement_postings', 'exception_postings'] as const

/** Balance of the book account `suspense`, in minor units. */
export async function suspenseOf(app: App, environment: Environment): Promise<number> {
  const { core } = await app.environment(environment)
  return await core.write(async ({ tx }) => {
    let sum = 0
    for (const table of TABLES)
      for (const { from_account: from, to_account: to, amount } of await tx.db
        .selectFrom(table)
        .select(['from_account', 'to_account', 'amount'])
        .execute())
        sum += Number(amount) * (Number(to === 'suspense') - Number(from === 'suspense'))
    return sum
  })
}
