import { expect } from 'chai'
import { remoteSimulator } from '../../../../src/gateways/simulator/remote-simulator.js'
import { CARD, payerAt } from '../../../http/payer/payer.js'
import { Business } from '../../../support/business.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { card, makeCustomer, makeProcessing, pay } from '../../../support/examples.js'
import { type HttpService, httpService } from '../../../support/http.js'
import { linesAfter, linesOf } from './lines.js'

onDatabases((open) => {
  describe('the activity of a gateway', () => {
    it('has the service as actor and follows the line of the request; both name the payment', async () => {
      const core = await openCore(open, { gateway: remoteSimulator() })
      const processing_id = await makeProcessing(core)
      const payment = { type: 'payment', amount: 10, processing_id, payment_method: card() }
      const options = { requestId: 'req_7', through: 'http' } as const
      const { body, lines } = await linesAfter(core, 'POST', '/transactions', payment, options)
      expect(lines).to.have.length(2)
      const object_id = idOf(body)
      const common = { object_id, request_id: 'req_7', through: 'http', processing_id }
      expect(lines[0]).to.include({
        ...common,
        by: 'operator',
        verb: 'pay',
        amount: 10,
        outcome: 'processing',
      })
      expect(lines[1]).to.include({
        ...common,
        by: 'system',
        action: 'update transaction',
        outcome: 'processed',
      })
      expect(lines[1]).not.to.have.any.keys('verb', 'amount')
      expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    it('has the service as actor when a job finds a lost outcome', async () => {
      const gateway = remoteSimulator()
      const core = await openCore(open, { gateway })
      const processing_id = await makeProcessing(core)
      gateway.script('times_out_after')
      const paid = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 10,
        processing_id,
        payment_method: card(),
      })
      const before = (await linesOf(core)).length
      await core.environment.reconcile(0)
      const [line] = (await linesOf(core)).slice(before)
      expect(line).to.include({ by: 'system', by_id: 'find_outcomes', through: 'job', object_id: idOf(paid) })
    })
  })

  describe('activity for changes outside of resources', () => {
    it('names the actor who changed the payment gateway or other settings', async () => {
      const core = await openCore(open)
      const shop = await makeProcessing(core)
      const other = {
        name: 'other',
        kind: 'peer',
        base_url: 'https://127.0.0.1:1',
        credentials: { secret_key: 'test_secret_key_other' },
      }
      const gateway = idOf(await core.ok('POST', '/admin/gateways', other))
      const routed = await linesAfter(core, 'PUT', '/admin/gateway_routes', {
        card: 'other',
        processing_id: shop,
      })
      expect(routed.lines).to.have.length(1)
      expect(routed.lines[0]).to.deep.include({
        action: 'set_gateway_routes',
        verb: 'redirect',
        processing_id: shop,
      })
      expect(routed.lines[0]?.after).to.include({ gateway_id: gateway, method: 'card', processing_id: shop })
      const back = await linesAfter(core, 'PUT', '/admin/gateway_routes', { card: null, processing_id: shop })
      expect(back.lines[0]).to.include({ action: 'set_gateway_routes', outcome: 'deleted' })
      const paused = await linesAfter(core, 'PUT', '/admin/maintenance', { enabled: true, message: 'By Ada' })
      expect(paused.lines[0]).to.include({ action: 'set_maintenance', object_id: 'maintenance' })
      expect(JSON.stringify(paused.lines)).not.to.contain('By Ada')
      await core.ok('PUT', '/admin/maintenance', { enabled: false })
      const ada = { name: 'Ada Park', email: 'entering@example.com', role: 'owner' }
      const operator_id = idOf(await core.ok('POST', '/admin/operators', ada))
      const entry = await linesAfter(core, 'POST', '/admin/console_entries', { email: ada.email })
      expect(entry.lines[0]).to.deep.include({ action: 'create_console_entry', after: { operator_id } })
      expect(JSON.stringify(entry.lines)).not.to.contain(String(entry.body.code))
    })
  })

  describe('the activity of jobs', () => {
    it('has lines of the service that name the job, for every change', async () => {
      const business = await Business.open(open)
      const { core } = business
      const shop = await business.account()
      const customer = await makeCustomer(core, shop)
      await pay(core, shop, 10)
      await core.ok('POST', '/billing_schedules', {
        customer_id: customer,
        processing_id: shop,
        recurring_frequency: 'monthly',
        start_date: '2030-01-20',
        charges: [{ amount: 5, description: 'beans' }],
      })
      const before = (await linesOf(core)).length
      business.at('2030-01-25 17:00:00')
      await core.environment.runDueJobs()
      const lines = (await linesOf(core)).slice(before)
      expect(new Set(lines.map((line) => `${line.by} ${line.through}`))).to.deep.equal(
        new Set(['system job']),
      )
      expect(lines.map((line) => line.by_id)).to.include.members(['cut_off', 'billing'])
      expect(lines.map((line) => line.action)).to.include('create invoice')
      expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
  })

  describe('activity of HTTP requests', () => {
    let core: TestCore
    let service: HttpService
    let shop: string
    before(async () => {
      core = await openCore(open)
      shop = await makeProcessing(core)
      service = await httpService(core.place)
      open.atEnd(() => service.stop())
    })

    it('names the key and the request id, which the service generates itself', async () => {
      const secret = await service.key({ description: 'till' })
      const [made] = (await linesOf(core)).slice(-1)
      const { body } = await service.ask(secret, 'POST', '/transactions', {
        type: 'payment',
        amount: 10,
        processing_id: shop,
        payment_method: card(),
      })
      const [line] = (await linesOf(core)).slice(-1)
      expect(line).to.include({ by: 'key', by_id: made?.object_id, through: 'http', object_id: idOf(body) })
      expect(line?.request_id).to.match(/^req_/)
    })

    it('names a client key', async () => {
      const intent = { amount: 5, processing_id: shop }
      const client = idOf(await core.ok('POST', '/access_tokens', { type: 'client', intent }))
      const before = (await linesOf(core)).length
      const { body } = await service.ask(client, 'POST', '/transactions', {
        type: 'payment',
        amount: 5,
        payment_method: card(),
      })
      const [line] = (await linesOf(core)).slice(before)
      expect(line).to.include({ by: 'client', by_id: client, object_id: idOf(body), amount: 5, verb: 'pay' })
    })

    it('names the payment link that a page was opened with', async () => {
      const link = await core.ok('POST', '/payment_links', { amount: 20, processing_id: shop })
      const payer = payerAt(service.address)
      const before = (await linesOf(core)).length
      await payer.send(await payer.get(`/pay/${idOf(link)}`), CARD)
      const [line, ...more] = (await linesOf(core)).slice(before)
      expect(more).to.deep.equal([])
      expect(line).to.include({
        by: 'payer',
        by_id: idOf(link),
        through: 'page',
        action: 'create transaction',
        amount: 20,
        outcome: 'processed',
      })
      expect(line?.others).to.include(idOf(link))
      expect(JSON.stringify(line)).not.to.match(/Ada Park|4242 ?4242|"10001"/)
    })

    it('has a line for each row of a batch, with the request that brought the row', async () => {
      const rows = [1, 2, 3].map((amount) => ({
        row: amount + 1,
        body: { amount, processing_id: shop, payment_method: card() },
      }))
      const batch = { id: 'three.csv', as: 'payment' }
      await core.ok('POST', '/admin/batches', { ...batch, content: 'c0ffee', rows: 3 })
      const options = { requestId: 'req_of_rows', through: 'http' } as const
      const { lines } = await linesAfter(
        core,
        'POST',
        '/admin/batches/rows',
        { ...batch, rows, last: true },
        options,
      )
      expect(lines.map(({ action, verb, amount }) => `${action}: ${verb} ${amount}`)).to.have.members(
        [1, 2, 3].map((amount) => `create transaction: pay ${amount}`),
      )
      for (const line of lines) expect(line).to.include({ request_id: 'req_of_rows', through: 'http' })
    })
  })

  describe('activity of people', () => {
    it('keeps the reason that the person gave', async () => {
      const gateway = remoteSimulator()
      const core = await openCore(open, { gateway })
      await makeProcessing(core)
      const statusCode = 'chargeback'
      gateway.report({ kind: 'chargeback', dispute: 'dp_1', payment: 'of nobody', amount: 1000, statusCode })
      await core.environment.reconcile(0)
      const [raised] = valuesOf(await core.ok('GET', '/admin/exceptions'))
      const path = `/admin/exceptions/${raised?.id}/resolve`
      const body = { resolution: 'ignore', reason: 'a payment of another system' }
      const { lines } = await linesAfter(core, 'POST', path, body)
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include({
        action: 'resolve exception',
        object_id: raised?.id,
        reason: 'a payment of another system',
        outcome: 'resolved',
      })
    })
  })
})
