import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { asOutsider } from '../../support/outsider.js'
import { type Behaviour, openReceiver, type Receiver } from '../../support/receiver.js'

const BASIC = `Basic ${Buffer.from('shop%20app:s%3Acret').toString('base64')}`

describe('webhooks with OAuth credentials', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let receiver: Receiver
    let tokens: Behaviour
    let answers: number[]
    let made: JsonObject
    const time = { now: Date.UTC(2030, 0, 15, 17) }

    before(async () => {
      core = await openCore(open, { clock: { now: () => time.now } })
      shop = await makeProcessing(core)
      receiver = await openReceiver((received, response) => {
        if (received.path === '/token') tokens(received, response)
        else response.writeHead(answers.shift() ?? 200).end()
      })
      open.atEnd(() => receiver.close())
    })

    beforeEach(async () => {
      receiver.received.splice(0)
      answers = []
      let count = 0
      tokens = (_received, response) =>
        response.end(JSON.stringify({ access_token: `token-${++count}`, expires_in: 600 }))
      made = await core.ok('POST', '/webhooks', {
        trigger: 'payment_link:status',
        url: `${receiver.address}/hook`,
        oauth_token_url: `${receiver.address}/token`,
        oauth_client_id: 'shop app',
        oauth_client_secret: 's:cret',
      })
    })
    afterEach(async () => {
      await core.ok('DELETE', `/webhooks/${made.id}`)
    })

    const happen = async () => {
      time.now += 1_000
      await core.ok('POST', '/payment_links', { amount: 1, description: 'A book', processing_id: shop })
      await core.environment.deliver(new AbortController().signal)
    }
    const told = () => receiver.received.map(({ path, headers }) => [path, headers['authorization']])
    const log = async () => {
      const query = `webhook_id=${made.id}&fields=*,oauth_status`
      const [first] = valuesOf(await core.ok('GET', '/webhook_logs', undefined, { query }))
      return [first?.http_status, first?.oauth_status, first?.problem]
    }

    it('send a token, which is fetched once and reused until it expires', async () => {
      await happen()
      expect(await log()).to.deep.equal([200, 200, null])
      await happen()
      expect(await log()).to.deep.equal([200, null, null])
      time.now += 600_000
      await happen()
      expect(told()).to.deep.equal([
        ['/token', BASIC],
        ['/hook', 'Bearer token-1'],
        ['/hook', 'Bearer token-1'],
        ['/token', BASIC],
        ['/hook', 'Bearer token-2'],
      ])
      expect(receiver.received[0]?.body).to.equal('grant_type=client_credentials')
    })

    it('fetch another token once if a reused token is refused', async () => {
      await happen()
      answers = [401]
      await happen()
      expect(await log()).to.deep.equal([200, 200, null])
      answers = [401, 401]
      await happen()
      expect(await log()).to.deep.equal([401, 200, null])
      expect(told().map(([path]) => path)).to.deep.equal([
        '/token',
        '/hook',
        '/hook',
        '/token',
        '/hook',
        '/hook',
        '/token',
        '/hook',
      ])
    })

    it('are not sent without a token, and are retried', async () => {
      tokens = (_received, response) => response.writeHead(400).end()
      await happen()
      expect(await log()).to.deep.equal([0, 400, 'No token: 400'])
      tokens = (_received, response) => response.end('{"access_token":"a\\nb"}')
      time.now += 6_000
      await core.environment.deliver(new AbortController().signal)
      expect(await log()).to.deep.equal([0, 200, 'No token: the answer holds none'])
      expect(told().every(([path]) => path === '/token')).to.equal(true)
    })

    it('send no secret or token to an address that was changed in the database', async () => {
      await happen()
      for (const column of ['url', 'oauth_token_url']) {
        receiver.received.splice(0)
        await asOutsider(
          core.place,
          `update webhooks set ${column} = '${receiver.address}/thief' where id = '${made.id}'`,
        )
        await happen()
        expect(told(), column).to.deep.equal([])
        await asOutsider(
          core.place,
          `update webhooks set url = '${made.url}', oauth_token_url = '${made.oauth_token_url}' where id = '${made.id}'`,
        )
      }
    })

    it('hide their secret, and need it again for another token address', async () => {
      const read = await core.ok('GET', `/webhooks/${made.id}`, undefined, {
        query: 'fields=*,oauth_client_secret',
      })
      expect(read).to.include({ oauth_client_id: 'shop app', oauth_client_secret: null })
      const put = async (body: JsonObject) => (await core.send('PUT', `/webhooks/${made.id}`, body)).body
      const moved = { url: 'https://thief.example/hook' }
      expect((await put(moved)).details).to.deep.equal({ oauth_client_secret: 'Required' })
      const elsewhere = { oauth_token_url: 'https://thief.example/token' }
      expect((await put(elsewhere)).details).to.deep.equal({ oauth_client_secret: 'Required' })
      expect(await put({ ...elsewhere, oauth_client_secret: 'other' })).to.include(elsewhere)
      expect((await put({ oauth_client_id: null })).details).to.deep.equal({ oauth_client_id: 'Required' })
      expect((await put({ oauth_token_url: 'nonsense' })).details).to.deep.equal({
        oauth_token_url: 'Must be an http or https address',
      })
      expect(await put({ description: 'still there' })).to.include(elsewhere)
      expect(await put({ oauth_token_url: null })).to.include({
        oauth_token_url: null,
        oauth_client_id: null,
      })
      expect((await put({ oauth_client_id: 'again' })).details).to.deep.equal({ oauth_token_url: 'Required' })
      await happen()
      expect(told()).to.deep.equal([['/hook', undefined]])
    })
  })
})
