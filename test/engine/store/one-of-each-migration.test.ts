import { expect } from 'chai'
import { sql } from 'kysely'
import type { Tx } from '../../../src/engine/store/database/store.js'
import { oneOfEachMigration } from '../../../src/engine/store/migrations/0003-one-of-each/one-of-each-migration.js'
import { onEachDatabase } from '../../support/databases.js'

const at = { created_at: '2025-01-01 00:00:00', modified_at: '2025-01-01 00:00:00' }

describe('a database that has several of what there is one of', () => {
  onEachDatabase((open) => {
    it('keeps the newest default method, and the oldest of everything else', async () => {
      const { store } = await open()
      await store.write(async (tx) => {
        await withoutIndexes(tx)
        await fill(tx)
        await oneOfEachMigration(tx, (text) => text)
      })
      const { defaults, accounts, live } = await store.read(async ({ db }) => ({
        defaults: await db
          .selectFrom('payment_methods')
          .select('id')
          .where('default_payment_method', '=', 1)
          .orderBy('id')
          .execute(),
        accounts: await db.selectFrom('accounts').select('id').where('is_default', '=', 1).execute(),
        live: [
          ...(await db.selectFrom('account_access').select('id').where('deleted_at', 'is', null).execute()),
          ...(await db
            .selectFrom('admin_oauth_users')
            .select('id')
            .where('deleted_at', 'is', null)
            .execute()),
        ],
      }))
      expect(defaults.map(({ id }) => id)).to.deep.equal(['pm_2', 'pm_3', 'pm_4', 'pm_5', 'pm_6'])
      expect(accounts).to.deep.equal([{ id: 'acct_1' }])
      expect(live).to.deep.equal([{ id: 'acc_1' }, { id: 'acc_3' }, { id: 'user_1' }])
    })
  })
})

/** As an older version made it. */
async function withoutIndexes({ any }: Tx): Promise<void> {
  for (const name of [
    'payment_methods_by_account_id',
    'accounts_by_is_default',
    'account_access_by_org_id_account_id',
    'admin_oauth_redirects_by_org_id_kind',
    'admin_oauth_users_by_email',
  ])
    await any.schema.dropIndex(name).execute()
  await sql`create index admin_oauth_users_by_email on admin_oauth_users (email)`.execute(any)
}

async function fill({ db }: Tx): Promise<void> {
  const method = { type: 'card', default_payment_method: 1, ...at } as const
  await db
    .insertInto('payment_methods')
    .values([
      { id: 'pm_1', account_id: 'acct_1', ...method },
      { id: 'pm_2', account_id: 'acct_1', ...method },
      { id: 'pm_3', account_id: 'acct_1', deleted_at: at.created_at, ...method },
      { id: 'pm_4', account_id: 'acct_2', ...method },
      { id: 'pm_5', ...method },
      { id: 'pm_6', ...method },
    ])
    .execute()
  const account = { type: 'processing', name: 'a name', is_default: 1, ...at } as const
  await db
    .insertInto('accounts')
    .values([
      { id: 'acct_1', ...account },
      { id: 'acct_2', ...account },
    ])
    .execute()
  await db
    .insertInto('account_access')
    .values([
      { id: 'acc_1', org_id: 'org_1', account_id: 'acct_1', ...at },
      { id: 'acc_2', org_id: 'org_1', account_id: 'acct_1', ...at },
      { id: 'acc_3', org_id: 'org_2', account_id: 'acct_1', ...at },
    ])
    .execute()
  const user = { org_id: 'org_1', email: 'ada@example.com', ...at }
  await db
    .insertInto('admin_oauth_users')
    .values([
      { id: 'user_1', ...user },
      { id: 'user_2', ...user },
    ])
    .execute()
}
