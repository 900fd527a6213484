import { expect } from 'chai'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { makeProcessing } from '../../support/examples.js'
import { type Merchant, makeMerchant, narrowed, pathOf, reachable, relationsOf } from './merchants.js'

onDatabases((open) => {
  describe('a narrowed key', () => {
    let core: TestCore
    let own: Merchant
    let other: Merchant

    before(async () => {
      core = await openCore(open)
      own = await makeMerchant(core)
      other = await makeMerchant(core)
    })

    const get = async (path: string, query = '', principal = own.key) =>
      await core.send('GET', path, undefined, { query, principal, count: true })
    const found = async (path: string, query = '', principal = own.key) => {
      const { status, body, headers } = await get(path, `limit=1000&${query}`, principal)
      expect(status, `${path}?${query}: ${JSON.stringify(body)}`).to.equal(200)
      expect(headers['X-Total-Count'], `${path}?${query}`).to.equal(String(valuesOf(body).length))
      return valuesOf(body)
    }
    const foreign = () => [...other.ids.values()].flat()
    const showsNothingForeign = (answer: unknown, what: string) => {
      const text = JSON.stringify(answer)
      expect(
        foreign().filter((id) => text.includes(id)),
        what,
      ).to.deep.equal([])
    }

    it('sees the objects of its account in lists, counts and single reads', async () => {
      await eachCase(reachable, pathOf, async ({ plural }) => {
        const listed = await found(`/${plural}`)
        expect(listed.map(idOf).sort()).to.deep.equal([...(own.ids.get(plural) ?? [])].sort())
        expect(listed).to.not.be.empty
        for (const object of listed)
          expect((await get(`/${plural}/${idOf(object)}`)).body).to.deep.equal(object)
      })
    })

    it('sees only its own related objects in fields, filters, orders and paths', async () => {
      const relations = reachable.flatMap((resource) =>
        relationsOf(resource).map(({ name, field }) => ({ plural: resource.plural, name, field })),
      )
      await eachCase(
        relations,
        ({ plural, name }) => `/${plural} ${name}`,
        async ({ plural, name, field }) => {
          const whole = await found(`/${plural}`, `fields=*,${name}`)
          showsNothingForeign(whole, 'fields')
          showsNothingForeign(await found(`/${plural}`, `${name}[id]=!nobody`), 'filter')
          if (field.kind === 'one')
            showsNothingForeign(await found(`/${plural}`, `order_by=${name}[id]`), 'order')
          for (const object of whole)
            showsNothingForeign((await get(`/${plural}/${idOf(object)}/${name}`)).body, 'path')
        },
      )
    })

    it('sees only its own objects in deep relations, even if two merchants have equal values', async () => {
      const queries: [string, string][] = [
        ['/transactions', 'customer[name]=Ada Park'],
        ['/transactions', 'customer[payment_methods][card][card_number]=4242424242424242'],
        ['/transactions', 'payment_method[card][card_number]=4242424242424242'],
        ['/transactions', 'processing[legal_entity][owners][full_name]=Ada Park'],
        ['/transactions', 'processing[processing][settings][pricing]=flat_rate'],
        ['/transactions', 'ledger[entry_type]=refund|payment'],
        ['/customers', 'payment_methods[card][card_number]=4242424242424242'],
        ['/processing_accounts', 'payment_methods[bank_account][account_number]=9876543210'],
        ['/payment_methods', 'card[card_number]=4242424242424242'],
      ]
      for (const [path, query] of queries) {
        const objects = await found(path, `${query}&order_by=-id`)
        expect(objects, query).to.not.be.empty
        showsNothingForeign(objects, query)
        expect(await found(path, query, narrowed(other.processing)), query).to.have.length(objects.length)
      }
    })

    it('sees only its own objects on every page', async () => {
      const pages = []
      for (let offset = 0; offset < 10; offset++) {
        const { body } = await get('/transactions', `limit=1&offset=${offset}&order_by=amount,id`)
        pages.push(...valuesOf(body))
      }
      expect(pages.map(idOf).sort()).to.deep.equal([...(own.ids.get('transactions') ?? [])].sort())
    })

    it('sees the objects of all its accounts', async () => {
      const both = narrowed(own.processing, other.processing)
      const count = own.ids.get('transactions')?.length ?? 0
      expect(await found('/transactions', '', both)).to.have.length(count * 2)
      expect(await found('/transactions', `processing_id=${other.processing}`, both)).to.have.length(count)
    })

    it('sees no object if its account was deleted or its list of accounts is empty', async () => {
      const closed = await makeProcessing(core)
      await core.ok('DELETE', `/processing_accounts/${closed}`)
      for (const principal of [narrowed(), narrowed('acct_nobody'), narrowed(closed)]) {
        for (const plural of ['accounts', 'transactions', 'payment_methods', 'transaction_ledgers']) {
          expect(await found(`/${plural}`, '', principal), plural).to.deep.equal([])
        }
      }
      const { status } = await core.send('POST', '/customers', { name: 'Ada' }, { principal: narrowed() })
      expect(status).to.equal(400)
    })

    it('sees no resource of /admin, whatever its narrowing', async () => {
      expect((await get('/admin/keys')).status).to.equal(403)
      expect((await get('/admin/keys/key_1')).status).to.equal(403)
      await core.ok('POST', '/admin/keys', { description: 'somebody' })
      const manager = { ...own.key, manage: true }
      expect(await found('/admin/keys', '', manager)).to.deep.equal([])
      const made = await core.send('POST', '/admin/keys', {}, { principal: manager })
      expect(made.status).to.equal(403)
    })

    describe("if another merchant's customer paid its account", () => {
      let shared: string

      before(async () => {
        const body = {
          type: 'payment',
          amount: 7,
          processing_id: own.processing,
          customer_id: other.customer,
        }
        shared = idOf(await core.ok('POST', '/transactions', body))
      })
      after(async () => {
        await core.ok('PUT', `/transactions/${shared}`, { status: 'voided' })
      })

      it('sees the payment with its method, but not the customer', async () => {
        const fields = 'fields=*,customer,payment_method[id]'
        const { body } = await get(`/transactions/${shared}`, fields)
        expect(body.customer).to.equal(null)
        expect(objectOf(body.payment_method)).to.deep.equal({
          ...objectOf(body.payment_method),
          id: other.method,
        })
        expect((await get(`/transactions/${shared}/customer`)).status).to.equal(404)
        expect((await get(`/transactions/${shared}/payment_method`)).status).to.equal(200)
      })

      it('cannot filter or order by that customer', async () => {
        const about = `id=${shared}`
        expect(await found('/transactions', `${about}&customer[name]=?*a`)).to.deep.equal([])
        expect(await found('/transactions', `${about}&customer_id=${other.customer}`)).to.have.length(1)
        await core.ok('PUT', `/customers/${other.customer}`, { name: 'Zoe' })
        const last = (await found('/transactions', 'order_by=-customer[name]')).at(-1)
        const operators = await core.ok('GET', '/transactions', undefined, {
          query: 'order_by=-customer[name]',
        })
        expect(valuesOf(operators)[0]?.customer_id).to.equal(other.customer)
        expect(last?.customer_id ?? other.customer).to.equal(other.customer)
        expect((await found('/transactions', 'order_by=-customer[name]'))[0]?.customer_id).to.equal(
          own.customer,
        )
        await core.ok('PUT', `/customers/${other.customer}`, { name: 'Ada Park' })
      })

      it('cannot change, delete or charge that payment method', async () => {
        const principal = own.key
        const path = `/payment_methods/${other.method}`
        expect((await core.send('PUT', path, { account_holder: 'Eve' }, { principal })).status).to.equal(403)
        expect((await core.send('DELETE', path, undefined, { principal })).status).to.equal(403)
        const tree = { payment_method: { id: other.method, account_holder: 'Eve' } }
        expect((await core.send('PUT', `/transactions/${shared}`, tree, { principal })).status).to.equal(403)
        for (const type of ['payment', 'refund', 'credit']) {
          const again = { type, amount: 7, payment_method_id: other.method }
          const { status, body } = await core.send('POST', '/transactions', again, { principal })
          expect([status, body.details]).to.deep.equal([
            400,
            { payment_method_id: 'Belongs to another account' },
          ])
        }
        expect((await core.ok('GET', path)).account_holder).to.equal(null)
      })

      it('can refund the payment', async () => {
        const ledger = [{ assoc_transaction_id: shared }]
        const body = { type: 'refund', amount: 1, ledger }
        const principal = own.key
        const dry = await core.send('POST', '/transactions', body, { principal, dryRun: true })
        expect([dry.status, dry.body.payment_method_id]).to.deep.equal([200, other.method])
      })
    })
  })
})
