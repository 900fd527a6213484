import { expect } from 'chai'
import { sql } from 'kysely'
import { rowsWithIds } from '../../../../src/engine/core/read/related-rows.js'
import { Statements } from '../../../../src/engine/core/read/statements.js'
import { owner, type Principal } from '../../../../src/engine/core/request/principal.js'
import type { Tx } from '../../../../src/engine/store/database/store.js'
import { Model } from '../../../../src/model/model.js'
import { resources } from '../../../../src/resources/resource-table.js'
import { type Row, tableColumnsOf } from '../../../../src/schema/columns.js'
import { registryOf } from '../../../../src/schema/registry.js'
import { type Resource, tableNameOf } from '../../../../src/schema/resource.js'
import { onDatabases, type TestDatabase } from '../../../support/databases.js'

const model = new Model(registryOf(resources))
const NOW = '2026-01-01 00:00:00'
const NAMES = ['a', 'b', 'c', 'd', 'e']
const methods = NAMES.map((name) => `pm_${name}`)
const accounts = NAMES.map((name) => `acct_${name}`)

/** Related rows are read by a prepared statement for principals that may see everything. */
onDatabases('sql', (open) => {
  describe('related rows of a list', () => {
    let db: TestDatabase
    before(async () => {
      db = await open()
      await db.store.write(async (tx) => {
        await insert(tx, resources.payment_method, methods, (n) => ({
          type: 'card',
          deleted_at: n === 4 ? NOW : null,
        }))
        await insert(tx, resources.account, accounts, (n) => ({
          name: 'Ada Park',
          type: n === 4 ? 'processing' : 'customer',
        }))
      })
    })

    const found = async (
      target: Resource,
      ids: readonly string[],
      { fields = [], showsDeleted = false, principal = owner }: Asking = {},
    ) => {
      const { shape } = model.get(target.name).select(fields)
      const statements = new Statements(db.dialect)
      const rows = await db.store.read((tx) =>
        rowsWithIds({ tx, statements, principal, now: NOW }, shape, ids, showsDeleted),
      )
      return rows.map((values) => values[shape.placeOf('id')]).sort()
    }

    for (const fields of [[], ['id', 'type']])
      describe(fields.length === 0 ? 'by default' : 'by fields', () => {
        it('are the referenced rows that are not deleted', async () => {
          expect(await found(resources.payment_method, [...methods, 'pm_none'], { fields })).to.deep.equal(
            methods.slice(0, 4),
          )
        })

        it('include deleted rows if the relation survives deletion', async () => {
          expect(
            await found(resources.payment_method, methods, { fields, showsDeleted: true }),
          ).to.deep.equal(methods)
        })

        it('belong to the resource of the list, even if its table has rows of others', async () => {
          expect(await found(resources.customer, accounts, { fields })).to.deep.equal(accounts.slice(0, 4))
        })

        it('contain only own rows for a narrowed key', async () => {
          const principal: Principal = { kind: 'key', id: 'key_n', manage: false, processingIds: ['acct_e'] }
          expect(await found(resources.payment_method, methods, { fields, principal })).to.deep.equal([])
          expect(await found(resources.account, accounts, { fields, principal })).to.deep.equal(['acct_e'])
        })
      })

    it('are read by one prepared statement, whatever their number (PostgreSQL)', async () => {
      if (db.dialect !== 'postgres') return
      const shape = model.get('payment_method').defaultShape
      const statements = new Statements(db.dialect)
      const count = await db.store.read(async (tx) => {
        const reading = { tx, statements, principal: owner, now: NOW }
        for (const ids of [methods, methods.slice(1)]) await rowsWithIds(reading, shape, ids, true)
        const { rows } = await sql<{ count: number }>`
          select count(*) from pg_prepared_statements
          where statement like '%from "payment_methods" as t where "t"."id" = any(%' and not statement like '%deleted_at" is null%'`.execute(
          tx.any,
        )
        return rows[0]?.count
      })
      expect(count).to.equal(1)
    })
  })
})

interface Asking {
  readonly fields?: readonly string[]
  readonly showsDeleted?: boolean
  readonly principal?: Principal
}

async function insert(
  { any }: Tx,
  resource: Resource,
  ids: readonly string[],
  rowOf: (n: number) => Row,
): Promise<void> {
  const empty: Row = Object.fromEntries(tableColumnsOf(resource).map(({ name }) => [name, null]))
  const stamped = { created_at: NOW, modified_at: NOW }
  const rows = ids.map((id, n): Row => ({ ...empty, id, ...stamped, ...rowOf(n) }))
  await any.insertInto(tableNameOf(resource)).values(rows).execute()
}
