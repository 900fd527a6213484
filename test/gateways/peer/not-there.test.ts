import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { expect } from 'chai'
import type { GatewayOperation } from '../../../src/gateways/contract.js'
import { peerRail } from '../../../src/gateways/peer/peer-rail.js'
import { openRailClient, type RailClient } from '../../../src/platform/network/rail-client.js'

describe('a peer that answers 404', () => {
  let server: Server
  let http: RailClient
  let baseUrl: string
  before(async () => {
    const error = { object: 'error', error_type: 'NotFound', error_description: 'Not there', details: {} }
    server = createServer((_, response) => response.writeHead(404).end(JSON.stringify(error)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const bound = server.address()
    baseUrl = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
    http = openRailClient({ loopback: true })
  })
  after(async () => {
    await http.close()
    server.close()
  })
  const perform = async (more: Partial<GatewayOperation>) => {
    const asked: GatewayOperation = {
      type: 'sale',
      reference: 'txn_1',
      amount: 100,
      currency: 'USD',
      ...more,
    }
    const credentials = {
      environment: 'test',
      baseUrl,
      secrets: { secret_key: 'test_secret_key_x' },
    } as const
    return await peerRail({ http, now: () => 0 }).perform(asked, credentials)
  }

  it('declines a capture or a void, and counts as misconfigured for a new payment', async () => {
    const parent = { reference: 'txn_0', gatewayId: 'txn_gone' }
    for (const type of ['capture', 'void'] as const)
      expect(await perform({ type, parent })).to.include({ result: 'declined', code: 'NotFound' })
    const method = { type: 'card', number: '4242424242424242', expiry: '12/39', cardCode: '123' } as const
    expect(await perform({ method })).to.include({ result: 'misconfigured' })
  })

  it('cannot capture a part, so the payment stays authorized', async () => {
    const parent = { reference: 'txn_0', gatewayId: 'txn_1' }
    expect(await perform({ type: 'capture', parent, isPart: true })).to.include({
      result: 'not_sent',
      isReached: true,
    })
  })
})
