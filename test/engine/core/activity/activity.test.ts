import { expect } from 'chai'
import type { JsonObject } from '../../../../src/schema/json.js'
import { idOf, list, openCore, type TestCore, valuesOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { bankAccount, card, makeCustomer, makeProcessing, pay } from '../../../support/examples.js'
import { asKey, linesAfter, linesOf } from './lines.js'

onDatabases((open) => {
  describe('a line of activity', () => {
    let core: TestCore
    let shop: string
    before(async () => {
      core = await openCore(open)
      shop = await makeProcessing(core)
    })

    const payment = (amount: number, more = {}) => ({
      type: 'payment',
      amount,
      processing_id: shop,
      payment_method: card(),
      ...more,
    })

    it('names the actor, the interface, the request and the payment', async () => {
      const { body, lines } = await linesAfter(core, 'POST', '/transactions', payment(12.5), asKey())
      expect(lines).to.have.length(1)
      expect(lines[0]).to.deep.include({
        by: 'key',
        by_id: 'key_of_a_shop',
        through: 'http',
        request_id: 'req_1',
        action: 'create transaction',
        verb: 'pay',
        amount: 12.5,
        object_id: idOf(body),
        others: [body.payment_method_id],
        processing_id: shop,
        outcome: 'processed',
      })
      expect(lines[0]).not.to.have.any.keys('operator_id', 'before', 'after', 'changed', 'real_at')
    })

    it('names an operator, and the key that they use as a token', async () => {
      const operator = { name: 'Ada Park', email: 'ada@example.com', role: 'owner' }
      const id = idOf(await core.ok('POST', '/admin/operators', operator))
      const principal = { kind: 'operator', id, role: 'owner', manage: true } as const
      const customer = { name: 'Ann', primary_processing_id: shop }
      const console = { principal, through: 'console' } as const
      const [line] = (await linesAfter(core, 'POST', '/customers', customer, console)).lines
      expect(line).to.include({ by: 'operator', by_id: id, operator_id: id, through: 'console' })
      const token = { principal: { ...principal, token: 'key_of_ada' }, through: 'http' } as const
      const [other] = (await linesAfter(core, 'POST', '/customers', customer, token)).lines
      expect(other).to.include({ by: 'operator', by_id: 'key_of_ada', operator_id: id })
    })

    it('of a refund names the payment as well', async () => {
      const paid = idOf(await pay(core, shop, 10))
      const refund = { type: 'refund', amount: 4, ledger: [{ assoc_transaction_id: paid }] }
      const { body, lines } = await linesAfter(core, 'POST', '/transactions', refund)
      expect(lines).to.have.length(1)
      expect(lines[0]).to.deep.include({ verb: 'refund', amount: 4, object_id: idOf(body), others: [paid] })
    })

    it('of a capture has the amount, and the states before and after', async () => {
      const held = idOf(await pay(core, shop, 20, { status: 'authorized' }))
      const { lines } = await linesAfter(core, 'POST', `/transactions/${held}/capture`, { amount: 15 })
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include({ action: 'capture transaction', verb: 'capture', amount: 15 })
      expect(lines[0]?.before).to.include({ status: 'authorized', amount: 20 })
      expect(lines[0]?.after).to.include({ status: 'processed', amount: 15, authorized_amount: 20 })
      expect(lines[0]?.outcome).to.equal('processed')
    })

    it('has the verb void when a status update voids a payment', async () => {
      const paid = idOf(await pay(core, shop, 20))
      const [line] = (await linesAfter(core, 'PUT', `/transactions/${paid}`, { status: 'voided' })).lines
      expect(line).to.include({ action: 'update transaction', verb: 'void', amount: 20, outcome: 'voided' })
    })

    it('is written for a declined payment', async () => {
      const declined = payment(5, { payment_method: card('4111111111119904') })
      const { status, lines } = await linesAfter(core, 'POST', '/transactions', declined)
      expect(status).to.equal(400)
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include({ action: 'create transaction', outcome: 'declined' })
    })

    it('is written for each object of a list', async () => {
      const { body, lines } = await linesAfter(core, 'POST', '/transactions', list([payment(1), payment(2)]))
      expect(lines.map(({ object_id }) => object_id)).to.deep.equal(valuesOf(body).map(idOf))
      expect(lines.map(({ amount }) => amount)).to.deep.equal([1, 2])
    })

    it('hides what changed from keys that cannot see the processing account of the change', async () => {
      const other = await makeProcessing(core, 'Other Books')
      const paid = [idOf(await pay(core, shop, 10)), idOf(await pay(core, other, 10))]
      const refunds = paid.map((id) => ({
        type: 'refund',
        amount: 4,
        ledger: [{ assoc_transaction_id: id }],
      }))
      const { lines } = await linesAfter(core, 'POST', '/transactions', list(refunds))
      expect(lines.map(({ processing_id, others }) => [processing_id, others])).to.deep.equal([
        [shop, [paid[0]]],
        [other, [paid[1]]],
      ])
      const both = list([payment(1), payment(2, { processing_id: other })])
      const { body, lines: paying } = await linesAfter(core, 'POST', '/transactions', both)
      const methods = valuesOf(body).map(({ payment_method_id }) => [payment_method_id])
      expect(paying.map(({ others }) => others)).to.deep.equal(methods)
    })

    it('is written for each object that an update by query changes', async () => {
      const order_number = 'by a query'
      const made = valuesOf(
        await core.ok(
          'POST',
          '/transactions',
          list([payment(1, { order_number }), payment(2, { order_number })]),
        ),
      )
      const query = `mode=query&order_number=${order_number}`
      const { lines } = await linesAfter(core, 'PUT', '/transactions', { status: 'voided' }, { query })
      expect(lines.map((line) => line.object_id)).to.have.members(made.map(idOf))
      expect(lines.map((line) => line.verb)).to.deep.equal(['void', 'void'])
    })

    it('about nested objects is written under the outer object and names the nested objects', async () => {
      const customer = {
        name: 'Ann',
        primary_processing_id: shop,
        payment_methods: [card(), bankAccount()],
      }
      const { body, lines } = await linesAfter(core, 'POST', '/customers', customer)
      expect(lines).to.have.length(1)
      expect(lines[0]?.object_id).to.equal(idOf(body))
      expect(lines[0]?.others).to.have.length(2)
    })

    it('about a payment nested in an invoice has the paid amount; the invoice has its own line', async () => {
      const items: JsonObject[] = [
        { entry_type: 'charge', amount: 30, description: 'Books' },
        { entry_type: 'payment', payment: payment(12) },
      ]
      const parties = { processing_id: shop, customer_id: await makeCustomer(core, shop) }
      const made = await linesAfter(core, 'POST', '/invoices', { ...parties, items })
      const money = ({ action, verb, amount }: JsonObject) => `${action}: ${verb} ${amount}`
      expect(made.lines.map(money)).to.deep.equal([
        'create invoice: undefined undefined',
        'create transaction: pay 12',
      ])
      expect(made.lines[0]?.others).to.be.an('array').that.does.not.include(made.lines[1]?.object_id)
      const path = `/invoices/${idOf(made.body)}`
      const shown = valuesOf(await core.ok('GET', `${path}/items`)).map(({ id }) => ({ id: id ?? '' }))
      const more = { items: [...shown, { entry_type: 'payment', payment: payment(5) }] }
      const changed = await linesAfter(core, 'PUT', path, more)
      expect(changed.lines.map(money)).to.include('create transaction: pay 5').and.have.length(2)
    })

    it('of a collected invoice has the amount that was due', async () => {
      const customer = await makeCustomer(core, shop)
      await core.ok('POST', '/payment_methods', {
        ...card(),
        account_id: customer,
        default_payment_method: true,
      })
      const items = [{ entry_type: 'charge', amount: 30, description: 'Books' }]
      const invoice = idOf(
        await core.ok('POST', '/invoices', { processing_id: shop, customer_id: customer, items }),
      )
      const { status, body, lines } = await linesAfter(core, 'POST', `/invoices/${invoice}/collect`, {})
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include({ action: 'collect invoice', object_id: invoice, verb: 'pay', amount: 30 })
    })

    it('has the verb redirect only for accounts whose deposit destination changed', async () => {
      const own = { ...bankAccount(), account_id: shop }
      const { body, lines } = await linesAfter(core, 'POST', '/payment_methods', own)
      expect(lines.map(({ verb }) => verb)).to.deep.equal(['redirect'])
      const path = `/payment_methods/${idOf(body)}`
      const change = await linesAfter(core, 'PUT', path, { default_payment_method: true })
      expect(change.lines.map(({ verb }) => verb)).to.deep.equal(['redirect'])
      const through = await linesAfter(core, 'PUT', `/processing_accounts/${shop}`, {
        payment_methods: [{ id: idOf(body), account_holder: 'Other Books' }],
      })
      expect(through.lines.map(({ action, verb }) => `${action}: ${verb}`)).to.include(
        'update payment_method: redirect',
      )
      const payer = { ...bankAccount(), account_id: await makeCustomer(core, shop) }
      expect((await linesAfter(core, 'POST', '/payment_methods', payer)).lines[0]).not.to.have.property(
        'verb',
      )
    })

    it('names changed attributes, nested attributes after the id of their object, but stores no text values', async () => {
      const made = await core.ok('POST', '/customers', {
        name: 'Ann',
        primary_processing_id: shop,
        payment_methods: [card()],
      })
      const [method] = valuesOf(await core.ok('GET', `/customers/${idOf(made)}/payment_methods`))
      const change = { name: 'Bob', payment_methods: [{ id: method?.id ?? '', account_holder: 'Bob Park' }] }
      const { lines } = await linesAfter(core, 'PUT', `/customers/${idOf(made)}`, change)
      expect(lines).to.have.length(1)
      expect(lines[0]?.changed).to.include.members(['name', `${method?.id}.account_holder`])
      expect(JSON.stringify(lines)).not.to.match(/"Bob"|Bob Park/)
    })

    it('says that an object was deleted', async () => {
      const customer = await makeCustomer(core, shop)
      const { lines } = await linesAfter(core, 'DELETE', `/customers/${customer}`)
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include({ action: 'delete customer', object_id: customer, outcome: 'deleted' })
    })

    it('records the permissions of a new key and later changes of them', async () => {
      const rights = { processing_ids: [shop], grants: { transactions: ['GET'] } }
      const { body, lines } = await linesAfter(core, 'POST', '/admin/keys', rights)
      expect(lines).to.have.length(1)
      expect(lines[0]?.after).to.deep.include({ ...rights, manage: false, status: 'active' })
      const revoked = await linesAfter(core, 'DELETE', `/admin/keys/${idOf(body)}`)
      expect(revoked.lines[0]).to.deep.include({
        action: 'delete api_key',
        changed: ['status'],
        before: { status: 'active' },
        after: { status: 'revoked' },
        outcome: 'revoked',
      })
    })

    it('about an action names the object of its path', async () => {
      const key = idOf(await core.ok('POST', '/admin/keys', {}))
      const { body, lines } = await linesAfter(core, 'POST', `/admin/keys/${key}/rotate`, {})
      expect(lines).to.have.length(1)
      expect(lines[0]).to.deep.include({ action: 'rotate api_key', object_id: key, others: [body.id] })
    })

    it('about an admin operation has the name of that operation', async () => {
      const paid = idOf(await pay(core, shop, 10))
      const dispute = { event: 'chargeback', transaction_id: paid, amount: 10, dispute: 'dp_1' }
      const { lines } = await linesAfter(core, 'POST', '/admin/disputes', dispute)
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include({ action: 'add_dispute', verb: 'dispute', amount: 10 })
    })

    it('is not written by a dry run, a repeated request, or a refused request', async () => {
      const options = { idempotencyKey: 'once' }
      const count = async (...request: Parameters<TestCore['send']>) =>
        (await linesAfter(core, ...request)).lines.length
      expect(await count('POST', '/transactions', payment(7), { dryRun: true })).to.equal(0)
      expect(await count('POST', '/transactions', payment(7), options)).to.equal(1)
      expect(await count('POST', '/transactions', payment(7), options)).to.equal(0)
      expect(await count('POST', '/transactions', payment(-7))).to.equal(0)
      const forbidden = { principal: { kind: 'key', id: 'key_1', manage: false, grants: {} } } as const
      expect(await count('POST', '/transactions', payment(7), forbidden)).to.equal(0)
    })

    it('is not written when a request changes no value', async () => {
      const customer = await makeCustomer(core, shop)
      expect((await linesAfter(core, 'GET', `/customers/${customer}`)).lines).to.deep.equal([])
    })

    it('is written for each of many simultaneous payments in the same commit group', async () => {
      const before = (await linesOf(core)).length
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) => core.ok('POST', '/transactions', payment(n + 1), asKey())),
      )
      const lines = (await linesOf(core)).slice(before)
      expect(lines.map((line) => line.object_id)).to.have.members(answers.map(idOf))
      expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    it('cannot be changed, deleted or created by a client', async () => {
      const [line] = await linesOf(core)
      const path = `/admin/activity/${line?.id}`
      const answers = [
        await core.send('POST', '/admin/activity', { action: 'create transaction' }),
        await core.send('PUT', path, { reason: 'another one' }),
        await core.send('DELETE', path),
      ]
      expect(answers.map(({ status }) => status)).to.deep.equal([403, 403, 403])
    })

    it('can be filtered, sorted and limited to some attributes', async () => {
      const paid = idOf(await pay(core, shop, 33.33))
      expect(await linesOf(core, `object_id=${paid}`)).to.have.length(1)
      expect(await linesOf(core, 'amount=>33&verb=pay&by=operator&through=terminal')).to.have.length(1)
      const query = 'order_by=-amount&fields=amount,verb&limit=1'
      const [largest] = valuesOf(await core.ok('GET', '/admin/activity', undefined, { query }))
      expect(largest).to.deep.equal({ amount: 40, verb: 'pay' })
    })
  })
})
