import { expect } from 'chai'
import { type SelectQueryNode, sql } from 'kysely'
import { insertRows } from '../../../src/engine/store/database/insert-rows.js'
import { prepared } from '../../../src/engine/store/database/prepared.js'
import { scalar, using } from '../../../src/engine/store/database/raw-use.js'
import { statementOf } from '../../../src/engine/store/database/statement.js'
import type { Tx } from '../../../src/engine/store/database/store.js'
import { SqliteConnection } from '../../../src/engine/store/sqlite/sqlite-connection.js'
import { openCore } from '../../support/core.js'
import { insert } from '../../support/counters.js'
import { onDatabases, type TestDatabase } from '../../support/databases.js'
import { asOutsider, booksSealed } from '../../support/outsider.js'
import { rejection } from '../../support/rejection.js'

const AT = '2025-01-01 00:00:00'

/** A row of `accounts` with this id. */
function account(id: string) {
  return { id, name: 'a counter', type: 'customer' as const, created_at: AT, modified_at: AT }
}

describe('an SQL statement', () => {
  onDatabases('sql', (open) => {
    let db: TestDatabase
    beforeEach(async () => {
      db = await open()
      await db.store.write((tx) => insert(tx, 'a'))
    })

    const write = <T>(work: (tx: Tx) => Promise<T>) => db.store.write(work)
    /** Findings of `verify` about sealed rows, after all rows are sealed. */
    const problems = async () => {
      await booksSealed(db)
      const core = await openCore(open, { ...db })
      const { findings } = await core.ok('GET', '/admin/verify')
      if (!Array.isArray(findings)) throw new Error('No findings')
      return findings.filter((finding) => JSON.stringify(finding).includes('"sealed books"'))
    }
    const refused = async (work: (tx: Tx) => Promise<unknown>) => (await rejection(write(work))).message

    describe('that changes a sealed table is sealed', () => {
      const ways: { readonly [name: string]: (tx: Tx) => Promise<unknown> } = {
        'as an insert of rows that are given': ({ db }) =>
          db
            .insertInto('accounts')
            .values([account('b'), account('c')])
            .execute(),
        'as an insert of what a query finds': ({ db }) =>
          db
            .insertInto('accounts')
            .columns(['id', 'name', 'type', 'created_at', 'modified_at'])
            .expression((eb) =>
              eb
                .selectFrom('accounts')
                .select((of) => [
                  scalar(sql<string>`id || 'b'`).as('id'),
                  'name',
                  'type',
                  of.ref('created_at').as('created_at'),
                  'modified_at',
                ]),
            )
            .execute(),
        'as an insert that changes a row that is there': ({ db }) =>
          db
            .insertInto('accounts')
            .values({ ...account('a'), transaction_limit: 3 })
            .onConflict((conflict) => conflict.column('id').doUpdateSet({ transaction_limit: 4 }))
            .execute(),
        'as an insert that leaves a row that is there': ({ db }) =>
          db
            .insertInto('accounts')
            .values({ ...account('a'), transaction_limit: 3 })
            .onConflict((conflict) => conflict.column('id').doNothing())
            .execute(),
        'as an insert with a computed value': ({ db }) =>
          db
            .insertInto('accounts')
            .values({ ...account('b'), transaction_limit: sql<number>`1 + 1` })
            .execute(),
        'as an update with raw SQL in it': ({ db }) =>
          db
            .updateTable('accounts')
            .set({ transaction_limit: sql<number>`coalesce(transaction_limit, 0) + 1` })
            .where(sql<boolean>`id = ${'a'}`)
            .execute(),
        'as an update with another name for the table': ({ db }) =>
          db.updateTable('accounts as t').set({ transaction_limit: 9 }).where('t.id', '=', 'a').execute(),
        'as an update from another table': ({ db }) =>
          db
            .updateTable('accounts')
            .from('accounts as other')
            .set({ transaction_limit: 7 })
            .whereRef('accounts.id', '=', 'other.id')
            .execute(),
        'as a deletion by a query': ({ db }) =>
          db
            .deleteFrom('accounts')
            .where('id', 'in', (eb) => eb.selectFrom('accounts').select('id'))
            .execute(),
      }
      for (const [how, change] of Object.entries(ways))
        it(how, async () => {
          await write(change)
          expect(await problems()).to.deep.equal([])
        })

      it('with names in any case that the database accepts', async () => {
        const change = ({ any }: Tx) =>
          any.updateTable('ACCOUNTS').set({ Transaction_Limit: 8 }).where('id', '=', 'a').execute()
        if (db.dialect === 'postgres') {
          expect(await refused(change)).to.include('does not exist')
          return
        }
        await write(change)
        await write(({ any }) => any.insertInto('Accounts').values(account('b')).execute())
        expect(await problems()).to.deep.equal([])
        await asOutsider(db, "update accounts set transaction_limit = 1 where id = 'b'")
        expect(await problems()).to.have.length(1)
      })
    })

    describe('that changes a sealed table is refused', () => {
      const ways: { readonly [name: string]: (tx: Tx) => Promise<unknown> } = {
        'with a RETURNING clause of its own': ({ db }) =>
          db.updateTable('accounts').set({ transaction_limit: 1 }).returning('id').execute(),
        'with a modifier of its own': ({ db }) =>
          db.updateTable('accounts').set({ transaction_limit: 1 }).modifyEnd(sql`returning id`).execute(),
        'as a part of another one': ({ db }) =>
          db
            .with('gone', (part) => part.deleteFrom('accounts').returning('id'))
            .selectFrom('gone')
            .selectAll()
            .execute(),
        'as an insert or replace': ({ db }) =>
          db.insertInto('accounts').orReplace().values(account('a')).execute(),
        'as an insert or ignore': ({ db }) =>
          db.insertInto('accounts').orIgnore().values(account('a')).execute(),
        'as a replacement': ({ db }) => db.replaceInto('accounts').values(account('a')).execute(),
        'as an update of ids': ({ db }) =>
          db.updateTable('accounts').set({ id: 'z' }).where('id', '=', 'a').execute(),
        'as raw SQL that says so': ({ any }) =>
          using({ reads: [], writes: ['accounts'] }, sql`delete from accounts`).execute(any),
      }
      for (const [how, change] of Object.entries(ways))
        it(how, async () => {
          expect(await refused(change)).to.match(/^Rows of accounts are sealed, and cannot be changed by /)
        })
    })

    it('is refused if it changes tables in two places', async () => {
      const change = ({ db }: Tx) =>
        db
          .with('gone', (part) => part.deleteFrom('accounts').where('id', '=', 'a').returning('id'))
          .insertInto('accounts')
          .values(account('c'))
          .execute()
      expect(await refused(change)).to.equal('A statement may change accounts in one place only')
    })

    it('belongs to its own table, even if another table had rows with equal columns', async () => {
      const columns = ['id', 'name', 'type', 'created_at', 'modified_at'] as const
      await write((tx) => insertRows(tx, 'accounts', columns, [account('b')]))
      const error = await refused((tx) => insertRows(tx, 'payment_links', columns, [account('c')]))
      expect(error).to.match(/payment_links/)
    })

    describe('of raw SQL is refused', () => {
      const ways: { readonly [name: string]: (tx: Tx) => Promise<unknown> } = {
        'as a second statement within a condition': ({ db }) =>
          db.deleteFrom('clock').where(sql<boolean>`true; delete from accounts`).execute(),
        'that changes rows without saying so': ({ any }) => sql`delete from accounts`.execute(any),
        'with odd cases, comments and quotes': ({ any }) =>
          sql`/* select */ DeLeTe FROM "accounts" -- nothing`.execute(any),
        'behind a name in a query': ({ any }) =>
          any
            .with('gone', () => sql<{ id: string }>`delete from accounts returning id`)
            .selectFrom('gone')
            .selectAll()
            .execute(),
      }
      for (const [how, change] of Object.entries(ways))
        it(how, async () => {
          await refused(change)
          const rows = await db.store.read((tx) => tx.db.selectFrom('accounts').select('id').execute())
          expect(rows).to.deep.equal([{ id: 'a' }])
        })

      it('if it begins like a read but may write', async () => {
        const change = ({ any }: Tx) =>
          db.dialect === 'sqlite'
            ? sql`pragma user_version = 7`.execute(any)
            : sql`select set_config('a.b', '1', true)`.execute(any)
        expect(await refused(change)).to.match(/must say which tables it uses/)
      })
    })

    it('cannot write outside of a unit of work', async () => {
      const raw = prepared<object, object>((kysely) => ({
        compile: () => sql<object>`update accounts set transaction_limit = 77`.compile(kysely),
      }))
      expect((await rejection(db.store.run(raw, {}))).message).to.match(
        /must say which tables|cannot be written/,
      )
      const error = await rejection(db.store.run(deletion, {}))
      expect(error.message).to.match(/Only a unit of work|cannot be written/)
      expect(await db.store.read((tx) => tx.db.selectFrom('accounts').select('id').execute())).to.have.length(
        1,
      )
    })

    it('sees rows that earlier units of work of the same commit inserted', async () => {
      const reads: readonly ((tx: Tx, id: string) => Promise<unknown[]>)[] = [
        ({ db }, id) => db.selectFrom('accounts').select('id').where('id', '=', id).execute(),
        ({ db }, id) => db.selectFrom('accounts as t').select('t.id').where('t.id', '=', id).execute(),
        ({ db }, id) =>
          db
            .selectFrom((eb) => eb.selectFrom('accounts').select('id').where('id', '=', id).as('inner'))
            .select('inner.id')
            .execute(),
        ({ db }, id) =>
          db
            .with('named', (part) => part.selectFrom('accounts').select('id').where('id', '=', id))
            .selectFrom('named')
            .select('named.id')
            .execute(),
        ({ db }, id) =>
          db
            .selectFrom('clock')
            .rightJoin('accounts', 'accounts.id', 'clock.id')
            .select('accounts.id')
            .where('accounts.id', '=', id)
            .execute(),
        async ({ any }, id) =>
          (await using({ reads: ['accounts'] }, sql`select id from "accounts" where id = ${id}`).execute(any))
            .rows,
        async ({ db }, id) =>
          await db
            .selectFrom('migrations' as 'clock')
            .select(sql<string>`(select id from "accounts" where id = ${id})`.as('id'))
            .limit(1)
            .execute(),
      ]
      for (const [index, read] of reads.entries()) {
        const id = `b${index}`
        const [, own, later] = await Promise.all([
          write((tx) => insert(tx, `other${index}`)),
          write(async (tx) => {
            await tx.change(insertStatement, account(id))
            return await read(tx, id)
          }),
          write((tx) => read(tx, id)),
        ])
        expect(own, String(index)).to.deep.equal([{ id }])
        // On PostgreSQL, the third read is in another transaction.
        if (db.dialect === 'sqlite') expect(later, String(index)).to.deep.equal([{ id }])
      }
    })
  })
})

describe('a part of an SQL statement', () => {
  const { db } = SqliteConnection.inMemory()
  const of = (query: { toOperationNode(): SelectQueryNode }) => statementOf(query.toOperationNode())
  const amount = sql<number>`coalesce(amount, 0)`

  it('with raw SQL is treated as reading any table unless it declares that it reads none', () => {
    const query = db.selectFrom('transactions')
    expect(of(query.select(amount.as('amount'))).reads).to.equal('any')
    expect(of(query.select(scalar(amount).as('amount'))).reads).to.deep.equal(new Set(['transactions']))
    const both = query.select([scalar(amount).as('amount'), amount.as('other')])
    expect(of(both).reads).to.equal('any')
    const ordered = query.select('id').orderBy('id', 'desc').limit(1)
    expect(of(ordered).reads).to.deep.equal(new Set(['transactions']))
  })

  it('with an unknown function is treated as able to write', () => {
    const query = db.selectNoFrom((eb) => eb.fn<number>('nextval', [sql.lit('a')]).as('next'))
    expect(of(query).reads).to.equal('any')
  })

  it('of an unknown kind is refused', () => {
    const odd: { readonly kind: 'FetchNode' } = { kind: 'FetchNode' }
    const node = { kind: 'SelectQueryNode', odd } as const
    expect(() => statementOf(node)).to.throw('A statement has a part of an unknown kind: FetchNode')
  })
})

const deletion = prepared<object, never>((db) => db.deleteFrom('accounts'))

const insertStatement = prepared<ReturnType<typeof account>, never>((db, param) =>
  db.insertInto('accounts').values({
    id: param('id'),
    name: param('name'),
    type: param('type'),
    created_at: param('created_at'),
    modified_at: param('modified_at'),
  }),
)
