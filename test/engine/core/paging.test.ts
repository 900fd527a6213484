import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeCustomer, makeProcessing, pay } from '../../support/examples.js'

describe('paging', () => {
  onDatabases('sql', (open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
      const processing = await makeProcessing(core)
      const customers = [await makeCustomer(core, processing, 'B'), await makeCustomer(core, processing, 'A')]
      for (const [n, amount] of [5, 3, 3, 9, 1, 3, 9].entries()) {
        await pay(core, processing, amount, {
          customer_id: n % 3 === 0 ? null : (customers[n % 2] ?? null),
          order_number: n % 2 === 0 ? null : `o${n % 4}`,
        })
      }
    })

    const get = (query: string) => core.send('GET', '/transactions', undefined, { query })
    const ids = async (query: string) => valuesOf((await get(query)).body).map(idOf)

    const orders = [
      '',
      'order_by=id',
      'order_by=-amount',
      'order_by=amount,-order_number',
      'order_by=order_number',
      'order_by=-order_number',
      'order_by=customer[name]',
      'order_by=-customer[name],amount',
      'order_by=year(created_at),-amount',
    ]
    for (const order of orders)
      it(`by cursor finds every row once, sorted by ${order || 'default'}`, async () => {
        const whole = await ids(order)
        expect(whole).to.have.length(7)
        const walked: string[] = []
        for (let link: string | undefined = `limit=2&${order}`; link !== undefined; ) {
          const { body, headers } = await get(decodeURIComponent(link))
          walked.push(...valuesOf(body).map(idOf))
          link = /\?(.*)>/.exec(headers.Link ?? '')?.[1]
        }
        expect(walked).to.deep.equal(whole)
      })

    const linkOf = (link: string | undefined) =>
      decodeURIComponent((/\?(.*)>/.exec(link ?? '')?.[1] ?? '').replaceAll('+', ' '))

    /** Follows the page links of a list; `between` changes customers after each page. */
    const walk = async (first: string, between: (page: readonly JsonObject[]) => Promise<unknown>) => {
      const seen: JsonObject[] = []
      for (let query = first; query !== ''; ) {
        const { body, headers } = await core.send('GET', '/customers', undefined, { query })
        seen.push(...valuesOf(body))
        await between(valuesOf(body))
        query = linkOf(headers.Link)
      }
      return seen
    }

    it('continues after a row that was deleted in between', async () => {
      for (const order of ['', '&order_by=amount']) {
        const [, second = '', third] = await ids(`limit=3${order}`)
        const { headers } = await get(`limit=2${order}`)
        await core.ok('PUT', `/transactions/${second}`, { status: 'voided' })
        await core.ok('DELETE', `/transactions/${second}`)
        expect((await ids(linkOf(headers.Link)))[0]).to.equal(third)
      }
    })

    it('refuses to continue after an unknown row, an invalid id, or a group', async () => {
      const refused = async (query: string) => (await get(query)).body.details
      expect(await refused('after=txn_none')).to.deep.equal({ after: 'Not found' })
      expect(await refused('after=txn_none&offset=1')).to.deep.equal({ offset: 'Not together with after' })
      expect(await refused('after=a b')).to.deep.equal({ after: 'Must be valid id' })
      expect(await refused('after=txn_none&group_by=status')).to.deep.equal({
        after: 'Only for lists of objects',
      })
    })

    it('refuses an id alone if objects may move in the list, and a cursor that is damaged or from another list', async () => {
      const [first] = await ids('limit=1')
      const { status, body } = await get(`order_by=amount&after=${first}`)
      expect([status, body.details]).to.deep.equal([
        400,
        { after: 'Must be that of the link to the next page, as objects may move in this order' },
      ])
      const { headers } = await get('limit=1&order_by=amount')
      const cursor = /after=(.*)/.exec(linkOf(headers.Link))?.[1] ?? ''
      expect((await get(`order_by=amount&after=${cursor}`)).status).to.equal(200)
      for (const query of [
        `order_by=-amount&after=${cursor}`,
        `order_by=amount,fee&after=${cursor}`,
        `after=${cursor}`,
        `order_by=amount&after=${cursor.slice(0, -4)}`,
        `order_by=amount&after=${cursor.slice(0, 30)}${cursor[30] === 'X' ? 'Y' : 'X'}${cursor.slice(31)}`,
        `order_by=amount&after=none.${cursor.split('.')[1]}`,
      ]) {
        const answer = await get(query)
        expect([answer.status, answer.body.error_type], query).to.deep.equal([400, 'BadRequest'])
        expect(answer.body.details).to.deep.equal({ after: 'Must be that of the link to the next page' })
      }
      const other = await core.send('GET', '/customers', undefined, {
        query: `order_by=amount&after=${cursor}`,
      })
      expect(other.status).to.equal(400)
    })

    it('keeps the values that it sorts by secret in its cursors', async () => {
      const name = 'Zacharias of the cursor'
      for (const number of [1, 2]) await core.ok('POST', '/customers', { name: `${name} ${number}` })
      const { headers } = await core.send('GET', '/customers', undefined, { query: 'limit=1&order_by=-name' })
      const cursor = /after=[^.]*\.([\w-]+)/.exec(headers.Link ?? '')?.[1] ?? ''
      expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.to.contain('Zach')
    })

    it('continues after a row that is sorted by a long text', async () => {
      const text = 'x'.repeat(5_000)
      for (const number of [1, 2, 3])
        await core.ok('POST', '/customers', { name: 'Long', attrs: { text: `${text} ${number}` } })
      const first = await core.send('GET', '/customers', undefined, {
        query: 'limit=2&name=Long&order_by=attrs[text]&fields=attrs',
      })
      expect(String(first.headers.Link).length).to.be.lessThan(400)
      const rest = await core.ok('GET', '/customers', undefined, { query: linkOf(first.headers.Link) })
      expect(valuesOf(rest)).to.deep.equal([{ attrs: { text: `${text} 3` } }])
    })

    it('shows each unchanged customer once, whatever changes between pages', async () => {
      const value = fc.constantFrom(null, 'a', 'b', 'c', 'Ä', '9', '10')
      const customer = fc.record({
        email: value.map((text) => text && `${text}@example.com`),
        description: value,
      })
      const order = fc
        .uniqueArray(
          fc.constantFrom('email', 'description', 'name', 'modified_at', 'attrs[n]', 'phone_number'),
          {
            minLength: 1,
            maxLength: 3,
          },
        )
        .chain((names) =>
          fc.tuple(...names.map((name) => fc.constantFrom(name, `-${name}`))).map((keys) => keys.join()),
        )
      let run = 0
      const change = fc.record({ row: fc.nat(7), values: customer })
      await fc.assert(
        fc.asyncProperty(
          fc.array(customer, { minLength: 8, maxLength: 8 }),
          order,
          fc.array(change, { maxLength: 4 }),
          fc.integer({ min: 1, max: 3 }),
          async (rows, orderBy, changes, limit) => {
            const name = `walk ${run++}`
            const made = await core.ok('POST', '/customers', {
              object: 'list',
              values: rows.map((row, n) => ({ ...row, name, attrs: { n: n % 3 } })),
            })
            const customers = valuesOf(made).map(idOf)
            const changed = new Set(changes.map(({ row }) => customers[row]))
            const left = [...changes]
            const query = `name=${name}&order_by=${orderBy}&limit=${limit}`
            const seen = await walk(query, async () => {
              const next = left.shift()
              if (next) await core.ok('PUT', `/customers/${customers[next.row]}`, next.values)
            })
            const unchanged = (id: string) => !changed.has(id)
            expect(seen.map(idOf).filter(unchanged)).to.have.members(customers.filter(unchanged))
          },
        ),
        { numRuns: 25 },
      )
    })

    it('shows every customer, even if the last customer of page one moves to the end before page two', async () => {
      for (const order of ['name', '-name', 'modified_at', 'description,-name']) {
        const description = `Moved by ${order}`
        for (const n of [1, 2, 3, 4, 5, 6])
          await core.ok('POST', '/customers', { name: `m${n}`, description, attrs: { n } })
        let pages = 0
        const seen = await walk(`description=${description}&order_by=${order}&limit=2`, async ([, last]) => {
          if (pages++ === 0 && last)
            await core.ok('PUT', `/customers/${idOf(last)}`, { name: order.includes('-') ? 'a' : 'z' })
        })
        expect(new Set(seen.map(idOf)).size, order).to.equal(6)
      }
    })
  })
})
