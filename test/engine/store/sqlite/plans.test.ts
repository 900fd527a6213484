import { expect } from 'chai'
import { type Explainable, type Kysely, sql } from 'kysely'
import { selectPostings } from '../../../../src/domain/ledger/own-postings.js'
import type { Store } from '../../../../src/engine/store/database/store.js'
import type { Tables } from '../../../../src/engine/store/database/tables.js'
import { onSqlite, type TestDatabase } from '../../../support/databases.js'

type Db = Kysely<Tables>

/** Frequent queries of operators use an index, without a table scan or a sort. */
describe('a query plan of SQLite', () => {
  onSqlite((open) => {
    let db: TestDatabase
    before(async () => {
      db = await open()
    })

    const newest = (query: Db) =>
      query
        .selectFrom('transactions')
        .selectAll()
        .where('deleted_at', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(101)

    for (const [what, ask, index] of [
      ['the newest transactions', newest, 'transactions_by_created_at_id'],
      [
        'the newest transactions of an account',
        (query: Db) => newest(query).where('processing_id', '=', 'acct_1'),
        'transactions_by_processing_id_created_at',
      ],
      [
        'the newest transactions of a customer',
        (query: Db) => newest(query).where('customer_id', '=', 'acct_1'),
        'transactions_by_customer_id_created_at',
      ],
      [
        'the newest transactions with a status',
        (query: Db) => newest(query).where('status', '=', 'authorized'),
        'transactions_by_status_created_at',
      ],
      [
        'the newest payments',
        (query: Db) => newest(query).where('type', '=', 'payment'),
        'transactions_by_type_created_at',
      ],
      [
        'the transactions with a pending operation',
        (query: Db) =>
          query.selectFrom('transactions').selectAll().where('pending_operation', 'is not', null),
        'transactions_by_pending_operation',
      ],
      [
        'the ledger entries of a transaction',
        (query: Db) =>
          query.selectFrom('transaction_ledgers').selectAll().where('transaction_id', '=', 'txn_1'),
        'transaction_ledgers_by_transaction_id',
      ],
      [
        'the cards with a number',
        (query: Db) =>
          query.selectFrom('payment_methods').selectAll().where('card__card_number_hash', '=', 'hash'),
        'payment_methods_by_card__card_number_hash',
      ],
      [
        'the key with a hash',
        (query: Db) => query.selectFrom('admin_keys').selectAll().where('key_hash', '=', 'hash'),
        'admin_keys_by_key_hash',
      ],
      [
        'the default account',
        (query: Db) =>
          query
            .selectFrom('accounts')
            .select('id')
            .where('is_default', '=', sql.lit(1))
            .where('deleted_at', 'is', null),
        'accounts_by_is_default',
      ],
      [
        'the oldest processing account',
        (query: Db) =>
          query
            .selectFrom('accounts')
            .select('id')
            .where('type', '=', 'processing')
            .where('deleted_at', 'is', null)
            .orderBy('id')
            .limit(1),
        'accounts_by_type_id',
      ],
    ] as const)
      it(`finds ${what} by an index`, async () => {
        const plan = await explained(db.store, ask)
        expect(plan).to.match(new RegExp(`USING (COVERING )?INDEX ${index}`))
        expect(plan).to.not.match(/USE TEMP B-TREE FOR ORDER BY/)
      })

    it('is compiled once for all limits', async () => {
      const { sql: text, parameters } = await db.store.read(async (tx) => newest(tx.db).compile())
      expect(text).to.match(/ limit \+\?$/)
      expect(parameters).to.deep.equal([101])
    })

    it('finds postings by transaction ids, and postings booked later by an index', async () => {
      const plan = await explained(db.store, (query) =>
        selectPostings({ db: query }, 'txn_1', 'txn_2').orderBy('id'),
      )
      expect(plan).to.match(/SEARCH postings USING PRIMARY KEY \(id>\? AND id<\?\)/)
      expect(plan).to.match(/SEARCH postings USING INDEX postings_by_transaction_id/)
      expect(plan).to.not.match(/SCAN postings/)
    })
  })
})

async function explained(store: Store, ask: (db: Db) => Explainable): Promise<string> {
  const plan = await store.read((tx) => ask(tx.db).explain<{ detail: string }>(undefined, sql`query plan`))
  return plan.map(({ detail }) => detail).join('\n')
}
