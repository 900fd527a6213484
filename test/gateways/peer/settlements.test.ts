import { expect } from 'chai'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { payctl } from '../../cli/commands/payctl.js'
import { LiveMerchant } from '../../domain/settlements/live-shop.js'
import { idOf, openCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { httpService } from '../../support/http.js'

const START = Date.UTC(2030, 0, 15, 12)

describe('the settlements that the rail reads from a peer', () => {
  onDatabases((open) => {
    it('are its deposits and reversals, from whose lines our deposits are made', async () => {
      const time = { now: START }
      const clock = { now: () => time.now }
      const peer = await httpService(await open.migrated(), { clock })
      open.atEnd(() => peer.stop())
      const { core: theirs } = await peer.app.environment('test')
      const ask = async (method: 'GET' | 'POST', path: string, body?: Json, query: [string, string][] = []) =>
        (await theirs.handle({ method, path, body, query, principal: owner })).body
      const merchant = idOf(await ask('POST', '/processing_accounts', processingAccount()))

      const ours = new LiveMerchant(await openCore(open, { clock, gatewayLoopback: true }), time)
      const account = await ours.account('gateway', { credit_conv_fee_alloc: 50 })
      await ours.ok('POST', '/admin/gateways', {
        name: 'up',
        kind: 'peer',
        base_url: peer.address,
        merchant,
        credentials: { secret_key: await peer.key({}) },
      })
      await ours.ok('PUT', '/admin/gateway_routes', { default: 'up' })
      const days = async (count: number) => {
        for (let day = 0; day < count; day++) {
          time.now += 86_400_000
          await (await peer.app.environment('test')).runDueJobs()
          await ours.wait(0)
        }
      }
      const moved = (rows: readonly JsonObject[]) => rows.map(({ type, amount }) => `${type} ${amount}`)
      const type = 'type=deposit|reversal&order_by=id'

      const kept = await ours.pay(account, 29.99)
      const refunded = await ours.pay(account, 50)
      await ours.refund(refunded, 20)
      await days(2)
      expect(await ours.read(kept)).to.include({ funding_status: 'batched' })
      await ours.refund(refunded, 30)
      const there = (await ours.ok('GET', `/transactions/${kept}`, undefined, 'fields=gateway_id')).gateway_id
      await ask('POST', '/admin/simulate', { event: 'chargeback', transaction_id: there ?? null })
      await (await ours.core.app.environment('live')).reconcile(0)
      await days(40)

      const payouts = await ours.list('/transactions', type)
      const atPeer = valuesOf(
        await ask('GET', '/transactions', undefined, [
          ['type', 'deposit|reversal'],
          ['order_by', 'id'],
        ]),
      )
      expect(moved(payouts)).to.have.members(moved(atPeer))
      const lines = await ours.list('/admin/settlement_lines')
      expect(lines.map(({ kind, status }) => `${kind} ${status}`)).to.include.members([
        'payment matched',
        'refund matched',
        'chargeback matched',
        'fee matched',
      ])
      const books = await ours.books()
      expect(books).to.not.have.any.keys('processor_clearing', 'suspense', 'cash', 'bank_in_transit')
      expect(await ours.list('/admin/exceptions')).to.deep.equal([])
      expect(await ours.findings()).to.deep.equal([])
      expect(await ask('GET', '/admin/verify')).to.include({ found: 0 })

      const words = ['settlements', 'list', '--env', 'live', '--json']
      const { exitCode, stdout } = await payctl(ours.core.place, words)
      expect(exitCode).to.equal(0)
      const service = await httpService(ours.core.place, { clock, gatewayLoopback: true })
      const key = await service.key({ manage: true }, 'live')
      const { body } = await service.ask(key, 'GET', '/admin/settlements')
      await service.stop()
      expect(body).to.deep.equal(JSON.parse(stdout))
      expect(valuesOf(body)).to.have.length(atPeer.length)
    })
  })
})
