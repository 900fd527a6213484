import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import { openOutgoing } from '../../../src/platform/network/outgoing.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { freePort } from '../../support/postgres-server.js'
import { openReceiver, type Receiver } from '../../support/receiver.js'

const VAGUE = 'Failed at an address of this machine; webhooks of keys with the permission manage show why'

describe('webhooks to addresses of this machine', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let receiver: Receiver
    let addresses: string[]
    const time = { now: Date.UTC(2030, 0, 15, 17) }

    before(async () => {
      const http = openOutgoing({
        reach: { loopback: true },
        resolve: async (name) => [{ address: name === 'localhost' ? '127.0.0.1' : '10.1.2.3', family: 4 }],
      })
      core = await openCore(open, { clock: { now: () => time.now }, delivery: { http } })
      shop = await makeProcessing(core)
      receiver = await openReceiver((received, response) => {
        response.writeHead(received.path === '/good' ? 204 : 418).end()
      })
      open.atEnd(() => receiver.close())
      const port = await freePort()
      addresses = [`${receiver.address}/bad`, `http://127.0.0.1:${port}/`, `http://localhost:${port}/`]
    })

    const principalOf = async (key: JsonObject): Promise<Principal> => {
      const { secret_key: secret } = await core.ok('POST', '/admin/keys', key)
      const holder = await core.app.authenticate(String(secret))
      if (!holder) throw new Error('The key is unknown')
      return holder.principal
    }
    const hookOf = async (principal: Principal | undefined, url: string, more: JsonObject = {}) => {
      const options = principal && { principal }
      const body = { trigger: 'payment_link:status', url, ...more }
      return String((await core.ok('POST', '/webhooks', body, options)).id)
    }
    const happen = async () => {
      time.now += 1_000
      await core.ok('POST', '/payment_links', { amount: 1, description: 'A book', processing_id: shop })
      await core.environment.deliver(new AbortController().signal)
    }
    const logOf = async (id: string) => {
      const query = `webhook_id=${id}&fields=*,oauth_status`
      const [first] = valuesOf(await core.ok('GET', '/webhook_logs', undefined, { query }))
      return [first?.http_status, first?.oauth_status, first?.problem]
    }

    it('show the same text for every failure to keys without manage, which could scan ports otherwise', async () => {
      const keys: JsonObject[] = [{ processing_ids: [shop] }, {}]
      for (const key of keys) {
        const principal = await principalOf(key)
        const made = []
        for (const url of addresses) made.push(await hookOf(principal, url))
        const good = await hookOf(principal, `${receiver.address}/good`)
        const token = { oauth_token_url: addresses[1] ?? '', oauth_client_id: 'a', oauth_client_secret: 'b' }
        const tokens = await hookOf(principal, `${receiver.address}/good`, token)
        await happen()
        for (const id of made) expect(await logOf(id)).to.deep.equal([0, null, VAGUE])
        expect(await logOf(tokens)).to.deep.equal([0, 0, VAGUE])
        expect(await logOf(good)).to.deep.equal([204, null, null])
      }
    })

    it('hide addresses of this network, and names that lead to such an address, from keys without manage', async () => {
      const refused = ['http://10.1.2.3/', 'http://169.254.169.254/latest', 'http://inside.example/']
      const key = await principalOf({ processing_ids: [shop] })
      for (const [principal, shown] of [
        [key, /^Its address may not be reached, as it is not a public one$/],
        [await principalOf({ manage: true }), /10\.1\.2\.3|169\.254\.169\.254/],
      ] as const) {
        const made = []
        for (const url of refused) made.push(await hookOf(principal, url))
        const token = { oauth_token_url: refused[0] ?? '', oauth_client_id: 'a', oauth_client_secret: 'b' }
        made.push(await hookOf(principal, `${receiver.address}/good`, token))
        await happen()
        for (const id of made) {
          const [status, , problem] = await logOf(id)
          expect([status, String(problem)]).to.deep.equal([0, String(problem)])
          expect(problem).to.match(shown)
        }
      }
    })

    it('show the actual failure to operators and keys with manage', async () => {
      for (const principal of [undefined, await principalOf({ manage: true })]) {
        const [bad = '', closed = ''] = addresses
        const made = [await hookOf(principal, bad), await hookOf(principal, closed)] as const
        await happen()
        expect(await logOf(made[0])).to.deep.equal([418, null, null])
        const [status, , problem] = await logOf(made[1])
        expect([status, String(problem).includes('ECONNREFUSED')]).to.deep.equal([0, true])
      }
    })

    it("show no details of an operator's webhook that another principal has moved", async () => {
      const id = await hookOf(undefined, `${receiver.address}/good`, { processing_id: shop })
      const principal = await principalOf({ processing_ids: [shop] })
      await core.ok('PUT', `/webhooks/${id}`, { url: addresses[1] ?? '' }, { principal })
      await happen()
      expect(await logOf(id)).to.deep.equal([0, null, VAGUE])
    })
  })
})
