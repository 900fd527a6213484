import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { checkGateways } from '../../../src/installation/checks/gateway-checks.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'
import { eventsOf } from '../payments/books.js'

/** A peer that answers with the status set in `status`, and keeps the body of the last request. */
class Peer {
  status = 401
  said = ''
  private readonly server: Server = createServer((request, response) => {
    this.said = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      this.said += text
    })
    request.on('end', () => response.writeHead(this.status).end('{"object":"list","values":[]}'))
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    const { port } = this.server.address() as AddressInfo
    return `http://127.0.0.1:${port}`
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}

describe('a connected gateway', () => {
  onDatabases((open) => {
    const peer = new Peer()
    let core: TestCore
    let gateway: string
    let account: string
    before(async () => {
      const base_url = await peer.listen()
      open.atEnd(async () => peer.close())
      core = await openCore(open, { gatewayLoopback: true, report: () => undefined })
      account = await makeProcessing(core)
      const credentials = { secret_key: 'test_secret_key_old' }
      gateway = idOf(
        await core.ok('POST', '/admin/gateways', { name: 'up', kind: 'peer', base_url, credentials }),
      )
      await core.ok('PUT', '/admin/gateway_routes', { default: 'up' })
    })

    const shown = () => core.ok('GET', `/admin/gateways/${gateway}`)
    const checked = async () => {
      const handle = core.environment.core
      return await handle.read(({ tx }) => checkGateways(tx, 'test'))
    }
    const pay = () =>
      core.send('POST', '/transactions', {
        type: 'payment',
        amount: 29.99,
        processing_id: account,
        payment_method: card(),
      })

    it('shows the address for its notifications', async () => {
      expect(await shown()).to.include({
        notifications_url: `http://127.0.0.1:4242/gateways/${gateway}/notifications`,
        problem: null,
        circuit_opened_at: null,
      })
      expect(await checked()).to.deep.equal([
        { check: 'gateways', state: 'ok', found: '1 connected', fix: null },
      ])
    })

    it('that refuses its credentials is reported by doctor and an event, until it accepts them', async () => {
      expect((await pay()).status).to.equal(503)
      const { problem, circuit_opened_at: since } = await shown()
      expect(problem).to.be.a('string')
      expect(await checked()).to.deep.equal([
        {
          check: 'gateways up',
          state: 'failed',
          fix: 'payctl gateways test up --env test',
          found: `since ${since} nothing of it works: ${problem}`,
        },
      ])
      expect(await eventsOf(core, gateway)).to.include('gateway misconfigured')
      await core.environment.reconcile(0)
      expect((await shown()).problem).to.equal(problem)
      const credentials = { secret_key: 'test_secret_key_new' }
      expect(await core.ok('PUT', `/admin/gateways/${gateway}`, { credentials })).to.include({
        problem: null,
      })
      expect((await eventsOf(core, gateway)).at(-1)).to.equal('gateway active')
      expect(JSON.stringify(await shown())).to.not.include('secret_key_new')
    })

    it('receives the merchant id that the route of a processing account names', async () => {
      const route = { default: 'up', merchant: 'acct_theirs' }
      expect((await core.send('PUT', '/admin/gateway_routes', route)).status).to.equal(400)
      const { routes } = await core.ok('PUT', '/admin/gateway_routes', { ...route, processing_id: account })
      expect(routes).to.deep.include({
        method: null,
        processing_id: account,
        gateway: 'up',
        gateway_id: gateway,
        merchant: 'acct_theirs',
        problem: null,
      })
      await pay()
      expect(JSON.parse(peer.said)).to.include({ processing_id: 'acct_theirs' })
      await core.ok('PUT', '/admin/gateway_routes', { default: null, processing_id: account })
      const credentials = { secret_key: 'test_secret_key_newer' }
      await core.ok('PUT', `/admin/gateways/${gateway}`, { credentials })
    })

    it('that is blocked after several failures is reported as failed', async () => {
      peer.close()
      for (let count = 0; count < 5; count++) expect((await pay()).status).to.equal(503)
      await core.environment.reconcile(0)
      expect((await shown()).circuit_opened_at).to.be.a('string')
      expect((await checked())[0]).to.include({ state: 'failed' })
    })

    it('that is paused is reported as a warning, with the command that resumes it', async () => {
      const credentials = { secret_key: 'test_secret_key_newest' }
      await core.ok('PUT', `/admin/gateways/${gateway}`, { merchant: 'acct_1', credentials })
      await core.ok('POST', `/admin/gateways/${gateway}/pause`)
      expect(await checked()).to.deep.equal([
        {
          check: 'gateways up',
          state: 'warning',
          found: 'takes no new operations',
          fix: 'payctl gateways resume up --env test',
        },
      ])
    })
  })
})
