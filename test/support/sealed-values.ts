import { sql } from 'kysely'
import type { Store } from '../../src/engine/store/database/store.js'
import { sealedColumns, sealedPlace } from '../../src/engine/store/vault/sealed-columns.js'
import type { Vault } from '../../src/engine/store/vault/vault.js'

/**
 * Decrypts every sealed value, and compares each stored number with its hash. Returns how many values there
 * are; throws if one is wrong.
 */
export async function openEverything(store: Store, vault: Vault): Promise<number> {
  const columns = sealedColumns()
  return await store.read(async ({ any }) => {
    let count = 0
    for (const { table, name } of columns.filter(({ content }) => content === 'sealed')) {
      const hash = columns.find((column) => column.table === table && column.name === `${name}_hash`)?.name
      for (const row of await any.selectFrom(table).selectAll().where(name, 'is not', null).execute()) {
        const plain = vault.open(String(row[name]), sealedPlace(table, name, row))
        if (hash && row[hash] !== vault.hashNumber(plain, name))
          throw new Error(
            `${table}.${hash} of ${row['id']} is not the hash of the number as it is stored now`,
          )
        count++
      }
    }
    return count
  })
}

/**
 * Columns that contain values encrypted under a key, as `table.column`. Found in the database itself, not in
 * the declarations.
 */
export async function columnsUnder(store: Store, key: string): Promise<readonly string[]> {
  return await store.read(async ({ any, dialect }) => {
    const tables = (await any.introspection.getTables()).filter(
      ({ schema }) => dialect === 'sqlite' || schema?.startsWith('payctl_test'),
    )
    const found: string[] = []
    for (const { name: table, columns } of tables)
      for (const { name } of columns) {
        const text = sql`cast(${sql.ref(name)} as text)`
        const row = await any
          .selectFrom(table)
          .select(sql<number>`1`.as('found'))
          .where(sql<boolean>`${text} like ${`%${key}.%`}`)
          .limit(1)
          .executeTakeFirst()
        if (row) found.push(`${table}.${name}`)
      }
    return found
  })
}
