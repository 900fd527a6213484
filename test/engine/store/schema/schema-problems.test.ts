import { expect } from 'chai'
import { sql } from 'kysely'
import { using } from '../../../../src/engine/store/database/raw-use.js'
import type { Tx } from '../../../../src/engine/store/database/store.js'
import {
  brokenReferences,
  declaredReferences,
  schemaProblems,
} from '../../../../src/engine/store/schema/schema-problems.js'
import { onDatabases, type TestDatabase } from '../../../support/databases.js'

describe('the schema of a database', () => {
  onDatabases('upgrade', (open) => {
    let db: TestDatabase
    before(async () => {
      db = await open()
    })

    it('equals what the migrations create', async () => {
      expect(await db.store.read(schemaProblems)).to.deep.equal([])
      expect(await declaredReferences()).to.deep.include({
        table: 'postings',
        column: 'transaction_id',
        to: 'transactions',
      })
    })

    const changes: readonly (readonly [statement: string, told: string])[] = [
      ['drop index transactions_by_ref_number', 'It lacks: unique index transactions(ref_number)'],
      [
        'drop index deliveries_by_waiting_due_at',
        'It lacks: index deliveries(waiting, due_at) where waiting is not null',
      ],
      ['alter table transactions drop column avs', 'It lacks: column transactions.avs text'],
      ['alter table receipts rename to receipts_before', 'It lacks: table receipts'],
    ]
    for (const [statement, told] of changes)
      it(`is reported as different after ${statement}`, async () => {
        expect(await problemsAfter(statement)).to.include(told)
      })

    it('is reported as different if it has an unknown trigger', async () => {
      const body =
        db.store.dialect === 'sqlite'
          ? ['create trigger thief after insert on postings begin delete from events; end']
          : [
              'create function steal() returns trigger language plpgsql as $$ begin return null; end $$',
              'create trigger thief before insert on postings for each row execute function steal()',
            ]
      expect(await problemsAfter(...body)).to.deep.equal(['It has, and should not: trigger postings.thief'])
    })

    it('may have additional indexes of an operator', async () => {
      expect(await problemsAfter('create index own on transactions (description)')).to.deep.equal([])
    })

    it('has foreign keys whose targets exist', async () => {
      const [reference] = await declaredReferences()
      if (!reference) throw new Error('There is no reference')
      const found = await rollingBack(async (tx) => {
        await withoutReferences(tx)
        await bySql(
          tx,
          `insert into postings (id, transaction_id, processing_id, currency, from_account, to_account, amount, created_at)
          values ('p', 'txn_gone', 'acct', 'USD', 'cash', 'fee_income', 1, '2031-01-01')`,
        )
        return await brokenReferences(
          tx,
          { table: 'postings', column: 'transaction_id', to: 'transactions' },
          10,
        )
      })
      expect(found).to.deep.equal([{ id: 'p', named: 'txn_gone' }])
    })

    async function problemsAfter(...statements: readonly string[]): Promise<string[]> {
      const problems = await rollingBack(async (tx) => {
        for (const statement of statements) await bySql(tx, statement)
        return await schemaProblems(tx)
      })
      return problems.map(({ problem }) => problem)
    }

    async function rollingBack<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      return await db.store.write(work, { discard: true })
    }
  })
})

async function withoutReferences(tx: Tx): Promise<void> {
  const isSqlite = tx.dialect === 'sqlite'
  await bySql(
    tx,
    isSqlite ? 'pragma defer_foreign_keys = on' : 'set local session_replication_role = replica',
  )
}

/** Runs a statement outside of payctl, like an operator. */
async function bySql({ any }: Tx, statement: string): Promise<void> {
  await using({ reads: [], schema: true }, sql.raw(statement)).execute(any)
}
