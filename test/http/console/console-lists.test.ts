import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import type { FastifyInstance } from 'fastify'
import { consoleServer } from '../../support/console.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeCustomer, makeProcessing, pay } from '../../support/examples.js'

/** Number of customers: one more than a page shows. */
const CUSTOMERS = 51

describe('lists of the console', () => {
  onDatabases((open) => {
    let core: TestCore
    let server: FastifyInstance
    let processing: string
    let paid: string
    const get = (path: string) => server.inject({ method: 'GET', url: `/console/test/${path}` })
    const rowsIn = (body: string) => [...body.matchAll(/<tr><td/g)].length
    const linkIn = (body: string, label: string) => {
      const [, address = ''] = new RegExp(`href="([^"]*)"[^>]*>${label}<`).exec(body) ?? []
      return address.replaceAll('&#38;', '&').replace('/console/test/', '')
    }

    before(async () => {
      core = await openCore(open)
      server = consoleServer(core.app)
      processing = await makeProcessing(core)
      for (let made = 0; made < CUSTOMERS; made++) await makeCustomer(core, processing, `Customer ${made}`)
      paid = idOf(await pay(core, processing, 29.99, { order_number: 'PO-1042', description: 'A book' }))
      await pay(core, processing, 5)
    })

    it('show 50 rows, and link to further rows by the cursor of the API', async () => {
      const first = (await get('customers')).body
      expect(rowsIn(first)).to.equal(50)
      const second = (await get(linkIn(first, 'Next page'))).body
      expect(rowsIn(second)).to.equal(1)
      expect(second).to.include('First page')
      expect(second).to.not.include('Next page')
    })

    it('are sorted in both directions by the links of their headings', async () => {
      const ascending = (await get('transactions?order_by=amount')).body
      expect(ascending).to.match(/aria-sort="ascending"[\s\S]*\$5\.00[\s\S]*\$29\.99/)
      const descending = (await get(linkIn(ascending, 'Amount '))).body
      expect(descending).to.match(/aria-sort="descending"[\s\S]*\$29\.99[\s\S]*\$5\.00/)
    })

    it('accept the filters of the API, and report an invalid filter', async () => {
      const filtered = (await get('transactions?amount=>10')).body
      expect(rowsIn(filtered)).to.equal(1)
      expect(filtered).to.include('Amount more than 10')
      const wrong = await get('transactions?amount=>ten')
      expect(wrong.statusCode).to.equal(400)
      expect(wrong.body).to.include('role="alert"').and.include('Amount more than ten')
    })

    it('turn the filter form into an address with filters of the API', async () => {
      const address = async (query: string) => (await get(`transactions?${query}`)).headers['location']
      expect(await address('filter_by=status&filter_value=declined&filter_value=voided')).to.equal(
        '/console/test/transactions?status=declined%7Cvoided',
      )
      expect(await address('type=payment&filter_by=amount&filter_is=%3E%3D&filter_value=10')).to.equal(
        '/console/test/transactions?type=payment&amount=%3E%3D10',
      )
      expect(await address('filter_by=order_number&filter_is=%3F*&filter_value=a*b')).to.equal(
        `/console/test/transactions?order_number=${encodeURIComponent(String.raw`?*a\*b*`)}`,
      )
      expect(await address('status=declined&filter_by=status&filter_is=')).to.equal(
        '/console/test/transactions',
      )
    })

    it('show the command and the request that have the same result', async () => {
      const { body } = await get('transactions?amount=>10&order_by=amount')
      expect(body).to.include('payctl transactions list --where &#39;amount=&#62;10&#39; --order-by=amount')
      expect(body).to.include('&#34;$URL&#34;&#39;/transactions?amount=%3E10&#38;order_by=amount&#39;')
      const { body: keys } = await get('admin/keys')
      expect(keys).to.include('payctl api get /admin/keys<')
    })

    it('export exactly the filtered rows', async () => {
      const csv = await get('transactions?order_number=PO-1042&as=csv')
      const [head = [], row = [], ...more]: string[][] = parse(csv.body)
      expect(more).to.deep.equal([])
      expect(row[head.indexOf("'id")] ?? row[head.indexOf('id')]).to.equal(paid)
      expect(row[head.indexOf('amount')]).to.equal('29.99')
      const json = await get('customers?as=json')
      expect(valuesOf(json.json())).to.have.length(CUSTOMERS)
      const none = await get('customers?name=nobody&as=json')
      expect(none.json()).to.deep.equal({ object: 'list', values: [] })
      expect((await get('transactions?as=xlsx')).statusCode).to.equal(404)
    })

    it('export the rows of all pages, in order', async () => {
      const query = `order_by=-name&name=${encodeURIComponent('?Customer*')}`
      const shown: string[] = []
      for (let path = `customers?${query}`; path !== ''; ) {
        const { body } = await get(path)
        const rows = [...body.matchAll(/<tr>.*?<a [^>]*href="\/console\/test\/customers\/([^"?]+)"/gs)]
        shown.push(...rows.map(([, id = '']) => id))
        path = linkIn(body, 'Next page')
      }
      expect(shown).to.have.length(CUSTOMERS)
      const [[first = '', ...head] = [], ...rows]: string[][] = parse(
        (await get(`customers?${query}&as=csv`)).body,
      )
      const at = [first.slice(1), ...head].indexOf('id')
      expect(rows.map((row) => row[at])).to.deep.equal(shown)
      const json = valuesOf((await get(`customers?${query}&as=json`)).json())
      expect(json.map(idOf)).to.deep.equal(shown)
    })

    it('export only permitted rows for a narrowed operator, without numbers or secrets', async () => {
      const other = await makeProcessing(core, 'Other Books')
      await pay(core, other, 7)
      const { secret_key: secret } = await core.ok('POST', '/admin/keys', { description: 'Till' })
      const narrowed = consoleServer(core.app, { role: 'cashier', processingIds: [other] })
      for (const as of ['csv', 'json']) {
        const { body } = await narrowed.inject({ method: 'GET', url: `/console/test/transactions?as=${as}` })
        expect(body).to.include(other).and.not.include(processing)
        for (const path of ['payment_methods', 'transactions', 'settings/keys']) {
          const exported = (await get(`${path}?as=${as}`)).body
          expect(exported, path)
            .to.not.match(/4242 ?4242 ?4242|9876543210/)
            .and.not.include(String(secret))
        }
      }
    })

    it('of deposits and disputes stay limited to these transactions', async () => {
      for (const path of ['deposits', 'disputes']) expect(rowsIn((await get(path)).body), path).to.equal(0)
    })

    it('link to objects, which link related objects in both directions', async () => {
      const { body: transaction } = await get(`transactions/${paid}`)
      expect(transaction).to.include('A book').and.include(`/console/test/settings/accounts/${processing}"`)
      const [entity = {}] = valuesOf(await core.ok('GET', '/legal_entities'))
      const { body } = await get(`legal_entities/${idOf(entity)}`)
      expect(body).to.include(`/console/test/legal_entity_owners?legal_entity_id=${idOf(entity)}"`)
    })

    it('are found by the search box: an id leads to its object, words lead to lists', async () => {
      const search = (text: string, more = '') => get(`search?q=${encodeURIComponent(text)}${more}`)
      expect((await search(paid)).headers['location']).to.equal(`/console/test/transactions/${paid}`)
      const short = `${paid.slice(0, 4)}…${paid.slice(-4)}`
      expect((await search(short)).headers['location']).to.equal(`/console/test/transactions/${paid}`)
      expect((await search(processing)).headers['location']).to.equal(
        `/console/test/settings/accounts/${processing}`,
      )
      for (const text of ['PO-1042', '29.99', 'book', '4242 29.99'])
        expect((await search(text)).body, text).to.include(paid)
      expect((await search('Customer 17')).body).to.include('/console/test/customers?name=')
      expect((await search('no such thing in here')).body).to.include('Nothing is found')
    })

    it('lead a searched id to its object even if it is outside of their date range, which its page mentions', async () => {
      const list = (await get('transactions?created_at=<2020-01-01')).body
      expect(list).to.include('<input type="hidden" name="within" value="&#60;2020-01-01">')
      const found = await get(`search?q=${paid}&within=%3C2020-01-01`)
      const address = `/console/test/transactions/${paid}?beyond=%3C2020-01-01`
      expect(found.headers['location']).to.equal(address)
      const object = (await get(`transactions/${paid}?beyond=%3C2020-01-01`)).body
      expect(object).to.include('beyond the dates of the list')
      const within = await get(`search?q=${paid}&within=%3E2020-01-01`)
      expect(within.headers['location']).to.equal(`/console/test/transactions/${paid}`)
      const forged = (await get(`transactions/${paid}?beyond=call+us`)).body
      expect(forged).to.not.include('call us')
    })

    it('show the processing account of a customer by name', async () => {
      const { body } = await get('customers')
      expect(body).to.match(
        new RegExp(
          `<td><a href="/console/test/settings/accounts/${processing}" title="${processing}"><bdi>Park Books</bdi></a></td>`,
        ),
      )
    })

    it('show the acting operator by name', async () => {
      const hired = { name: 'Tom Reyes', email: 'tom@example.com', role: 'manager' }
      const tom = idOf(await core.ok('POST', '/admin/operators', hired))
      const principal = { kind: 'operator', id: tom, role: 'manager', manage: false } as const
      await core.ok('POST', '/customers', { name: 'Grace' }, { principal, through: 'console' })
      const { body } = await get(`activity?operator_id=${tom}`)
      expect(body).to.match(
        new RegExp(
          `<td><a href="/console/test/settings/operators/${tom}" title="${tom}"><bdi>Tom Reyes</bdi></a></td>`,
        ),
      )
    })

    it('show who did what, with the object and the change', async () => {
      const { body } = await get(`activity?object_id=${paid}`)
      expect(body).to.include('create transaction').and.include(`/console/test/transactions/${paid}"`)
      expect(body).to.include('$29.99')
      const voided = idOf(await pay(core, processing, 7))
      await core.ok('PUT', `/transactions/${voided}`, { status: 'voided' })
      const { body: changes } = await get(`activity?object_id=${voided}`)
      expect(changes).to.match(/<ul class="changes">.*Status.*processed.*→ voided/)
    })
  })
})
