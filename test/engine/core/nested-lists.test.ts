import { expect } from 'chai'
import { sql } from 'kysely'
import { idOf, list, listOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { card } from '../../support/examples.js'

const MOST_NESTED = 1_000
const MOST_SHOWN = 50_000

onEachDatabase((open) => {
  describe('nested lists', () => {
    let core: TestCore
    /** Has one payment method more than is shown with it. */
    let rich: string
    let poor: string

    before(async () => {
      core = await openCore(open)
      rich = idOf(await core.ok('POST', '/customers', { name: 'Rich' }))
      poor = idOf(await core.ok('POST', '/customers', { name: 'Poor', payment_methods: [card()] }))
      await addMethods(rich, MOST_NESTED + 1)
    })

    /** Gives payment methods to the customer, or to all whose name begins so. */
    async function addMethods(of: string, count: number): Promise<void> {
      const { write } = await core.app.core('test')
      const numbers = sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})`
      await write((work) =>
        sql`insert into payment_methods (id, account_id, type, created_at, modified_at)
          ${numbers} select 'pm_' || substr(a.id, 10) || (1000 + n), a.id, 'card', ${work.now}, ${work.now}
          from accounts as a cross join numbers where a.id = ${of} or a.name = ${of}`.execute(work.tx.any),
      )
    }

    const methods = async (customer: string) => {
      const query = 'fields=payment_methods[id]'
      const { payment_methods: shown } = await core.ok('GET', `/customers/${customer}`, undefined, { query })
      return listOf(shown)
    }

    it('show the oldest thousand of each parent, however many another has', async () => {
      expect(await methods(rich)).to.have.length(MOST_NESTED)
      expect(await methods(poor)).to.have.length(1)
      const query = 'fields=payment_methods[id]&order_by=name'
      const customers = valuesOf(await core.ok('GET', '/customers', undefined, { query }))
      expect(customers.map(({ payment_methods: shown }) => listOf(shown).length)).to.deep.equal([
        1,
        MOST_NESTED,
      ])
    })

    it('are paged through whole at their own path', async () => {
      const path = `/customers/${rich}/payment_methods`
      const page = async (offset: number) =>
        valuesOf(
          await core.ok('GET', path, undefined, {
            query: `limit=1000&offset=${offset}&order_by=created_at,id`,
          }),
        )
      const all = [...(await page(0)), ...(await page(MOST_NESTED))].map(idOf)
      expect(new Set(all).size).to.equal(MOST_NESTED + 1)
      expect(all.slice(0, MOST_NESTED)).to.deep.equal((await methods(rich)).map((it) => Object(it).id))
    })

    it('delete nothing that was not shown, when what was shown is sent back', async () => {
      const sent = { payment_methods: (await methods(rich)).slice() }
      const one = await core.send('PUT', `/customers/${rich}`, sent)
      expect([one.status, one.body.details]).to.deep.equal([
        400,
        { payment_methods: 'Has more than 1000; change them at /payment_methods' },
      ])
      const many = await core.send('PUT', '/customers', list([{ id: rich, ...sent }]))
      expect([many.status, many.body.error_description]).to.deep.equal([400, '[0][payment_methods]'])
      const query = 'fields=count(*)'
      const [count] = valuesOf(
        await core.ok('GET', `/customers/${rich}/payment_methods`, undefined, { query }),
      )
      expect(count).to.deep.equal({ 'count(*)': MOST_NESTED + 1 })
    })

    it('are refused where an answer would hold too many of them', async () => {
      const full = Array.from({ length: MOST_SHOWN / MOST_NESTED }, () => ({ name: 'Full' }))
      await core.ok('POST', '/customers', list(full))
      await addMethods('Full', MOST_NESTED)
      const ask = async (query: string) => await core.send('GET', '/customers', undefined, { query })
      expect((await ask('name=Full&fields=payment_methods[id]')).status).to.equal(200)
      const { status, body } = await ask('name=Full|Poor&fields=payment_methods[id]')
      expect([status, body.error_type, body.error_description]).to.deep.equal([
        400,
        'BadRequest',
        'An answer may show at most 50000 nested payment_methods; ask for fewer with limit, or leave them out of fields',
      ])
      expect((await ask('name=Full|Poor')).status).to.equal(200)
    })
  })
})
