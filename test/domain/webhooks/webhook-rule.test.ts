import { expect } from 'chai'
import { openVault } from '../../../src/engine/store/vault/vault.js'
import { systemRandom } from '../../../src/platform/random.js'
import { datetimeOf } from '../../../src/schema/datetime.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { narrowed } from '../../engine/core/merchants.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'

const URL = 'https://example.com/notifications'
const START = Date.UTC(2026, 10, 21, 12)

describe('webhooks', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let other: string
    const clock = { now: () => START }

    before(async () => {
      core = await openCore(open, { clock })
      shop = await makeProcessing(core)
      other = await makeProcessing(core)
    })

    const make = async (body: JsonObject = {}, principal = narrowed(shop)) =>
      await core.send('POST', '/webhooks', { trigger: 'payment', url: URL, ...body }, { principal })
    const rotate = async (id: string, body: JsonObject = {}) =>
      await core.send('POST', `/webhooks/${id}/rotate_secret`, body)
    const stored = async (id: string) =>
      await core.environment.core.write(async ({ tx }) => {
        const row = await tx.db
          .selectFrom('webhooks')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        const vault = openVault(core.place.home, systemRandom).forEnvironment('test')
        const opened = (column: 'sealed_secret' | 'sealed_previous_secret') => {
          const sealed = row[column]
          return sealed === null ? null : vault.open(sealed, { table: 'webhooks', column, id })
        }
        return { ...row, secret: opened('sealed_secret'), previous: opened('sealed_previous_secret') }
      })

    it('show their secret once, in the format of Standard Webhooks, and store it sealed', async () => {
      const { status, body } = await make({ description: 'the shop' })
      expect(status).to.equal(200)
      expect(body).to.include({ object: 'webhook', trigger: 'payment', url: URL, status: 'enabled' })
      const secret = String(body.secret)
      expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).to.have.length(32)
      const id = idOf(body)
      const read = await core.ok('GET', `/webhooks/${id}`, undefined, { query: 'fields=*,secret,logs' })
      expect(read).to.deep.include({ secret: null, logs: [], previous_secret_until: null })
      expect(await stored(id)).to.include({ secret, previous: null })
      expect(JSON.stringify(await core.ok('PUT', `/webhooks/${id}`, read))).to.not.include('whsec_')
    })

    it('each have their own secret, also in a list', async () => {
      const { values } = await core.ok('POST', '/webhooks', [
        { trigger: 'payment', url: URL },
        { trigger: 'refund', url: URL },
      ])
      const secrets = JSON.stringify(values).match(/whsec_[^"]+/g)
      expect(new Set(secrets)).to.have.length(2)
    })

    it('need a trigger and an address', async () => {
      const refused: [JsonObject, JsonObject][] = [
        [
          { trigger: null, url: null },
          { trigger: 'Required', url: 'Required' },
        ],
        [{ url: 'ftp://example.com' }, { url: 'Must be an http or https address' }],
        [{ url: 'https://ada@example.com' }, { url: 'Must not hold a user name or password' }],
        [{ url: `https://example.com/${'x'.repeat(2_000)}` }, { url: 'Must be at most 2000 characters' }],
        [{ secret: 'whsec_mine' }, { secret: 'Read only' }],
      ]
      for (const [body, details] of refused) {
        const answer = await make(body)
        expect([answer.status, answer.body.details], JSON.stringify(body)).to.deep.equal([400, details])
      }
      const { body } = await make({ trigger: 'nothing' })
      expect(JSON.stringify(body.details)).to.include('payment_link:status')
      const id = idOf((await make()).body)
      const changed = await core.send('PUT', `/webhooks/${id}`, { url: 'https://a@example.com' })
      expect(changed.body.details).to.deep.equal({ url: 'Must not hold a user name or password' })
    })

    it('can be disabled, enabled and given another address', async () => {
      const id = idOf((await make()).body)
      const changed = { status: 'disabled', trigger: 'refund', url: 'http://127.0.0.1:3000/' }
      expect(await core.ok('PUT', `/webhooks/${id}`, changed)).to.include(changed)
      expect(await core.ok('PUT', `/webhooks/${id}`, { status: 'enabled' })).to.include({ status: 'enabled' })
    })

    it('store their creator, and belong to the account of a narrowed key', async () => {
      const principal = narrowed(shop)
      const own = await make()
      expect(own.body.processing_id).to.equal(shop)
      expect(await stored(idOf(own.body))).to.include({
        key_id: principal.id,
        processing_ids: JSON.stringify([shop]),
      })
      const operators = await core.ok('POST', '/webhooks', { trigger: 'payment', url: URL })
      expect(operators.processing_id).to.equal(null)
      expect(await stored(idOf(operators))).to.include({ key_id: null, processing_ids: null })
      expect((await core.send('GET', `/webhooks/${operators.id}`, undefined, { principal })).status).to.equal(
        404,
      )
      const both = narrowed(shop, other)
      expect((await make({}, both)).body.details).to.deep.equal({ processing_id: 'Required' })
      expect((await make({ processing_id: other }, both)).body.processing_id).to.equal(other)
      expect((await make({ processing_id: other })).status).to.equal(403)
      const moved = await core.send('PUT', `/webhooks/${own.body.id}`, { processing_id: other })
      expect(moved.body.details).to.deep.equal({ processing_id: 'Read only' })
    })

    it('can rotate their secret, and the old secret signs for another day by default', async () => {
      const { body: made } = await make()
      const id = idOf(made)
      const { status, body } = await rotate(id)
      expect(status).to.equal(200)
      expect(body.secret)
        .to.match(/^whsec_/)
        .and.not.equal(made.secret)
      expect(body.previous_secret_until).to.equal(datetimeOf(START + 86_400_000))
      expect(await stored(id)).to.include({ secret: body.secret, previous: made.secret })
      const again = await rotate(id, { overlap: '60' })
      expect(again.body.previous_secret_until).to.equal(datetimeOf(START + 60_000))
      expect(await stored(id)).to.include({ secret: again.body.secret, previous: body.secret })
      const last = await rotate(id, { overlap: 0 })
      expect(last.body.previous_secret_until).to.equal(null)
      expect(await stored(id)).to.include({ secret: last.body.secret, previous: null })
    })

    it('have a secret that can be rotated with a valid overlap by principals that can see them', async () => {
      const id = idOf((await make()).body)
      const senseless: JsonObject[] = [{ overlap: -1 }, { overlap: 'soon' }, { overlap: 1e9 }, { other: 1 }]
      for (const body of senseless)
        expect((await rotate(id, body)).body, JSON.stringify(body)).to.include({
          error_type: 'InvalidAttributes',
        })
      expect((await rotate('wh_nobody')).status).to.equal(404)
      const path = `/webhooks/${id}/rotate_secret`
      const foreign = await core.send('POST', path, {}, { principal: narrowed(other) })
      expect(foreign.status).to.equal(404)
      expect((await core.send('GET', path)).status).to.equal(405)
      const before = await stored(id)
      const dry = await core.send('POST', path, {}, { dryRun: true })
      expect(dry.body.secret).to.match(/^whsec_/)
      expect(await stored(id)).to.deep.equal(before)
    })

    it('do not repeat a secret under an idempotency key', async () => {
      const options = { idempotencyKey: 'once' }
      const body = { trigger: 'payment', url: URL }
      await core.ok('POST', '/webhooks', body, options)
      expect((await core.send('POST', '/webhooks', body, options)).status).to.equal(409)
    })

    it('are deleted together with their secret', async () => {
      const { body } = await make()
      await rotate(idOf(body))
      await core.ok('DELETE', `/webhooks/${body.id}`)
      expect((await core.send('GET', `/webhooks/${body.id}`)).status).to.equal(404)
      expect(await stored(idOf(body))).to.include({ sealed_secret: null, sealed_previous_secret: null })
    })

    it('have logs that only the service writes', async () => {
      const id = idOf((await make()).body)
      const log = { trigger: 'payment', url: URL, http_status: 200 }
      const attempts = [
        await core.send('POST', '/webhook_logs', { ...log, webhook_id: id }),
        await core.send('POST', `/webhooks/${id}/logs`, log),
        await core.send('PUT', `/webhooks/${id}`, { logs: [log] }),
        await core.send('POST', '/webhooks', { trigger: 'payment', url: URL, logs: [log] }),
      ]
      expect(attempts.map(({ status }) => status)).to.deep.equal([403, 403, 403, 403])
    })
  })
})
