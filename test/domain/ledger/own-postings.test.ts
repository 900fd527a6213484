import { expect } from 'chai'
import { sql } from 'kysely'
import { selectPostings } from '../../../src/domain/ledger/own-postings.js'
import { using } from '../../../src/engine/store/database/raw-use.js'
import type { Tx } from '../../../src/engine/store/database/store.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases, onPostgres, onSqlite } from '../../support/databases.js'
import { card, makeProcessing, pay } from '../../support/examples.js'
import { asOutsider } from '../../support/outsider.js'
import { story } from '../verify/story.js'

describe('the first postings of a transaction', () => {
  onDatabases((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
      await story(core)
    })

    async function read<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
      return await core.environment.core.read(({ tx }) => work(tx))
    }

    it('have ids derived from its id, unlike later postings, and all can be found', async () => {
      const processing_id = await makeProcessing(core)
      const paid = idOf(await pay(core, processing_id, 20))
      const authorized = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 30,
        processing_id,
        payment_method: card(),
        status: 'authorized',
      })
      await core.ok('PUT', `/transactions/${idOf(authorized)}`, { status: 'processed' })
      await core.ok('PUT', `/transactions/${paid}`, { status: 'voided' })
      const idsOf = async (id: string) =>
        (await read((tx) => selectPostings(tx, id).orderBy('id').execute())).map((posting) => posting.id)
      const own = paid.slice(4, -2)
      const ids = await idsOf(paid)
      expect(ids.slice(0, 2)).to.deep.equal([`${own}01`, `${own}02`])
      expect(ids).to.have.length.above(2)
      for (const id of ids.slice(2)) expect(id.startsWith(own), id).to.equal(false)
      expect(await idsOf(idOf(authorized))).to.have.length(2)
    })

    it('are listed with all others, per transaction and in total', async () => {
      const all = () => read((tx) => tx.db.selectFrom('postings').selectAll().orderBy('id').execute())
      const [before = [], [first]] = [await all(), await all()]
      if (!first) throw new Error('Nothing was booked')
      // Ids written outside of payctl, which match no pattern.
      const like = first.transaction_id.slice(4, -2)
      for (const id of [like, `${like}zzz`, `${like}é`])
        await asOutsider(
          core.place,
          `insert into postings (id, transaction_id, processing_id, currency, from_account, to_account, amount, created_at)
           values ('${id}', '${first.transaction_id}', '${first.processing_id}', 'USD', 'a', 'b', 1, '2025-01-01 00:00:00')`,
        )
      const rows = await all()
      expect(rows).to.have.length(before.length + 3)
      const ends = rows.map((row) => row.transaction_id).sort()
      const found = await read((tx) =>
        selectPostings(tx, ends[0] ?? '', ends.at(-1) ?? '')
          .orderBy('id')
          .execute(),
      )
      expect(found).to.deep.equal(rows)
      for (const id of new Set(ends))
        expect(await read((tx) => selectPostings(tx, id).orderBy('id').execute())).to.deep.equal(
          rows.filter((row) => row.transaction_id === id),
        )
    })
  })

  onSqlite((open) => {
    it('are found through indexes', async () => {
      const { store } = await open()
      const rows = await store.read((tx) =>
        selectPostings(tx, 'txn_1', 'txn_2').explain<{ detail: string }>(undefined, sql`query plan`),
      )
      const plan = rows.map(({ detail }) => detail).join('\n')
      expect(plan).to.include('SEARCH postings USING PRIMARY KEY (id>? AND id<?)')
      expect(plan).to.include('postings_by_transaction_id')
    })
  })

  onPostgres((open) => {
    it('are found through indexes by PostgreSQL, too', async () => {
      const { store } = await open()
      const plan = await store.write(async (tx) => {
        await using({ reads: [], schema: true }, sql`set local enable_seqscan = off`).execute(tx.any)
        const rows = await selectPostings(tx, 'txn_1', 'txn_2').explain<{ 'QUERY PLAN': string }>()
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
      expect(plan).to.include('postings_pkey')
      expect(plan).to.include('postings_by_transaction_id')
    })
  })
})
