import { expect } from 'chai'
import { sql } from 'kysely'
import { using } from '../../../src/engine/store/database/raw-use.js'
import { idOf, list, listOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, processingAccount } from '../../support/examples.js'

const MOST_NESTED = 1_000
const MOST_OF_ONE = 10_000
const MOST_SHOWN = 50_000

onDatabases('sql', (open) => {
  describe('nested lists', () => {
    let core: TestCore
    /** Id of a customer with one payment method more than an answer shows. */
    let rich: string
    let poor: string

    before(async () => {
      core = await openCore(open)
      rich = idOf(await core.ok('POST', '/customers', { name: 'Rich' }))
      poor = idOf(await core.ok('POST', '/customers', { name: 'Poor', payment_methods: [card()] }))
      await addMethods(rich, MOST_NESTED + 1)
    })

    /** Adds payment methods to the customer with this id, or to all customers with this name. */
    async function addMethods(of: string, count: number): Promise<void> {
      const { write } = core.environment.core
      const numbers = sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})`
      await write((work) =>
        using(
          { reads: [], schema: true },
          sql`insert into payment_methods (id, account_id, type, created_at, modified_at)
          ${numbers} select 'pm_' || substr(a.id, 11) || (10000 + n), a.id, 'card', ${work.now}, ${work.now}
          from accounts as a cross join numbers where a.id = ${of} or a.name = ${of}`,
        ).execute(work.tx.any),
      )
    }

    const methods = async (customer: string) => {
      const query = 'fields=payment_methods[id]'
      const { payment_methods: shown } = await core.ok('GET', `/customers/${customer}`, undefined, { query })
      return listOf(shown)
    }

    it('show the oldest 1,000 objects of each parent, and mark a list that is cut', async () => {
      const query = 'fields=id,payment_methods[id]&order_by=name&limit=2'
      const { body, headers } = await core.send('GET', '/customers', undefined, { query })
      const shown = valuesOf(body).map(({ payment_methods: methods }) => listOf(methods))
      expect(shown.map(({ length }) => length)).to.deep.equal([1, MOST_NESTED])
      const last = idOf(objectOf(shown[1]?.at(-1)))
      expect(headers).to.deep.equal({
        Link: `</customers/${rich}/payment_methods?fields=id&order_by=created_at&limit=1000&after=${last}>; rel="next"; anchor="payment_methods"`,
        'X-Truncated': 'payment_methods',
      })
    })

    it('show 10,000 objects of one parent that is read by its own path', async () => {
      const one = idOf(await core.ok('POST', '/customers', { name: 'Heap' }))
      await addMethods(one, MOST_OF_ONE + 3)
      const query = 'fields=payment_methods'
      const { body, headers } = await core.send('GET', `/customers/${one}`, undefined, { query })
      const shown = listOf(body.payment_methods).map((method) => idOf(objectOf(method)))
      expect([shown.length, headers['X-Truncated']]).to.deep.equal([MOST_OF_ONE, 'payment_methods'])
      const [, next = ''] = /^<([^>]+)>; rel="next"; anchor="payment_methods"$/.exec(headers.Link ?? '') ?? []
      const [path = '', search = ''] = next.split('?')
      const rest = valuesOf(await core.ok('GET', path, undefined, { query: search })).map(idOf)
      expect([rest.length, new Set([...shown, ...rest]).size]).to.deep.equal([3, MOST_OF_ONE + 3])
      const put = await core.send('PUT', `/customers/${one}`, { description: 'x' }, { query })
      expect(put.headers).to.deep.equal(headers)
      expect((await core.send('GET', `/customers/${poor}`, undefined, { query })).headers).to.deep.equal({})
    })

    it('that are cut are named by their full path if they are nested deeper', async () => {
      const shop = await core.ok('POST', '/processing_accounts', processingAccount())
      const made = await core.ok('POST', '/invoices', { customer_id: rich, processing_id: idOf(shop) })
      const query = `id=${idOf(made)}&fields=customer[payment_methods]`
      const { headers } = await core.send('GET', '/invoices', undefined, { query })
      expect(headers['X-Truncated']).to.equal('customer[payment_methods]')
    })

    it('are sorted by creation, oldest first, but logs newest first', async () => {
      const hook = { trigger: 'payment', url: 'https://example.com/hook' }
      const webhook = idOf(await core.ok('POST', '/webhooks', hook))
      const { write } = core.environment.core
      await write((work) =>
        using(
          { reads: [], schema: true },
          sql`insert into webhook_logs (id, webhook_id, trigger, url, http_status, attempt, triggered_on__id, triggered_on__object, created_at, modified_at)
          with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 3)
          select 'log' || substr(cast(${webhook} as text), 4, 18) || n, ${webhook}, 'payment', 'https://example.com', 200, n, 'txn', 'transaction', '2030-01-0' || n || ' 00:00:00', ${work.now} from numbers`,
        ).execute(work.tx.any),
      )
      const query = 'fields=logs[attempt]'
      const { logs } = await core.ok('GET', `/webhooks/${webhook}`, undefined, { query })
      expect(logs).to.deep.equal([{ attempt: 3 }, { attempt: 2 }, { attempt: 1 }])
    })

    it('can be paged in full at their own path', async () => {
      const path = `/customers/${rich}/payment_methods`
      const page = async (offset: number) =>
        valuesOf(
          await core.ok('GET', path, undefined, {
            query: `limit=1000&offset=${offset}&order_by=created_at,id`,
          }),
        )
      const all = [...(await page(0)), ...(await page(MOST_NESTED))].map(idOf)
      expect(new Set(all).size).to.equal(MOST_NESTED + 1)
      expect(all).to.deep.equal((await methods(rich)).map((it) => Object(it).id))
    })

    it('keep objects that were cut from the answer when that answer is sent back', async () => {
      const listed = valuesOf(
        await core.ok('GET', '/customers', undefined, { query: `id=${rich}&fields=payment_methods[id]` }),
      )
      const sent = { payment_methods: listOf(listed[0]?.payment_methods) }
      const one = await core.send('PUT', `/customers/${rich}`, sent)
      expect([one.status, one.body.details]).to.deep.equal([
        400,
        { payment_methods: 'Has more than 1000; change them at /payment_methods' },
      ])
      const many = await core.send('PUT', '/customers', list([{ id: rich, ...sent }]))
      expect([many.status, many.body.error_description]).to.deep.equal([400, '[0][payment_methods]'])
      const query = 'fields=count(*)'
      const counted = async () => {
        const path = `/customers/${rich}/payment_methods`
        return valuesOf(await core.ok('GET', path, undefined, { query }))
      }
      expect(await counted()).to.deep.equal([{ 'count(*)': MOST_NESTED + 1 }])
      const whole = { payment_methods: (await methods(rich)).slice() }
      await core.ok('PUT', `/customers/${rich}`, whole)
      expect(await counted()).to.deep.equal([{ 'count(*)': MOST_NESTED + 1 }])
    })

    it('are refused if an answer would hold too many of them', async () => {
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
