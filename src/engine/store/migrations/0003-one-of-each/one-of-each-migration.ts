import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'
import { createIndex } from '../builder/table.js'

const live = sql<boolean>`deleted_at is null`

/**
 * What there is one of at most: an account's default payment method, the default account of the test environment, an
 * organization's access to an account, a user with an e-mail address, a registered address of an application. Rules see
 * to it, and from here on the database as well. Where two requests at once have made two, the newest default stays; of
 * everything else the oldest, which is the one that was found.
 */
export const oneOfEachMigration: Migration = async (tx) => {
  const run = async (text: string) => await sql.raw(text).execute(tx.any)
  await run(`update payment_methods set default_payment_method = 0
    where default_payment_method = 1 and deleted_at is null and exists (
      select 1 from payment_methods as other where other.account_id = payment_methods.account_id
        and other.default_payment_method = 1 and other.deleted_at is null and other.id > payment_methods.id)`)
  await run(`update accounts set is_default = 0
    where is_default = 1 and deleted_at is null and exists (
      select 1 from accounts as other where other.is_default = 1 and other.deleted_at is null
        and other.id < accounts.id)`)
  for (const [table, columns] of [
    ['account_access', ['org_id', 'account_id']],
    ['admin_oauth_users', ['email']],
    ['admin_oauth_redirects', ['org_id', 'kind', 'uri']],
  ] as const) {
    const same = columns.map((column) => `other.${column} = ${table}.${column}`).join(' and ')
    await run(`update ${table} set deleted_at = modified_at
      where deleted_at is null and exists (
        select 1 from ${table} as other where ${same} and other.deleted_at is null and other.id < ${table}.id)`)
  }

  const isDefault = sql<boolean>`default_payment_method = 1 and deleted_at is null`
  await createIndex(tx, 'payment_methods', ['account_id'], { unique: true, where: isDefault })
  const isDefaultAccount = sql<boolean>`is_default = 1 and deleted_at is null`
  await createIndex(tx, 'accounts', ['is_default'], { unique: true, where: isDefaultAccount })
  await createIndex(tx, 'account_access', ['org_id', 'account_id'], { unique: true, where: live })
  await createIndex(tx, 'admin_oauth_redirects', ['org_id', 'kind', 'uri'], { unique: true, where: live })
  await tx.any.schema.dropIndex('admin_oauth_users_by_email').execute()
  await createIndex(tx, 'admin_oauth_users', ['email'], { unique: true, where: live })
}
