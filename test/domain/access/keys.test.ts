import { expect } from 'chai'
import { datetimeOf } from '../../../src/schema/datetime.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { type HttpService, httpService } from '../../support/http.js'

const START = Date.UTC(2030, 0, 1)
const at = (seconds: number) => datetimeOf(START + seconds * 1000)

describe('keys', () => {
  onDatabases((open) => {
    let place: Place
    let service: HttpService
    let manager: string
    let seconds = 0
    const clock = { now: () => START + seconds * 1000 }

    before(async () => {
      place = await open.place()
      service = await httpService(place, { clock })
      open.atEnd(() => service.stop())
      manager = await service.key({ manage: true })
    })
    beforeEach(() => {
      seconds = 0
    })

    const make = async (body: JsonObject, maker = manager) =>
      await service.ask(maker, 'POST', '/admin/keys', body)
    const made = async (body: JsonObject = {}, maker = manager) => {
      const answer = await make(body, maker)
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
      return { id: String(answer.body.id), key: String(answer.body.secret_key), body: answer.body }
    }
    const statusOf = async (key: string, path = '/customers') => (await service.ask(key, 'GET', path)).status
    const rotate = (id: string, body: JsonObject = {}, by = manager) =>
      service.ask(by, 'POST', `/admin/keys/${id}/rotate`, body)
    const merchant = async () => {
      const answer = await service.ask(manager, 'POST', '/processing_accounts', { name: 'Merchant' })
      return String(answer.body.id)
    }

    it('show their secret once, and are valid only with that secret', async () => {
      const { id, key, body } = await made({ description: 'shop' })
      expect(body).to.include({ object: 'api_key', description: 'shop', status: 'active', manage: false })
      const read = await service.ask(manager, 'GET', `/admin/keys/${id}`)
      expect(read.body).to.have.property('hint', body.hint)
      expect(JSON.stringify(read.body)).to.not.include(key.slice(-10))
      expect((await service.ask(manager, 'GET', '/admin/keys?fields=*,secret_key')).status).to.equal(200)
      expect(await statusOf(key)).to.equal(200)
      expect(await statusOf(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)).to.equal(401)
      expect(await statusOf(key.replace('test_', ''))).to.equal(401)
    })

    it('are distinguished when many requests arrive at once', async () => {
      const one = await made({ grants: { customers: ['GET'] } })
      const other = await made({ grants: { accounts: ['GET'] } })
      const unknown = one.key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
      const all = Array.from({ length: 10 }, () => [one.key, unknown, other.key]).flat()
      const statuses = await Promise.all(all.map((key) => statusOf(key)))
      expect(statuses).to.deep.equal(Array.from({ length: 10 }, () => [200, 401, 403]).flat())
    })

    it('work only in their environment', async () => {
      const live = await service.key({}, 'live')
      expect(live).to.match(/^secret_key_/)
      await service.ask(manager, 'POST', '/customers', { name: 'Test Customer' })
      expect((await service.ask(live, 'GET', '/customers')).body.values).to.deep.equal([])
      expect(await statusOf(`test_${live}`)).to.equal(401)
    })

    it('are refused after their expiry', async () => {
      const { key } = await made({ expires_at: at(10) })
      seconds = 9
      expect(await statusOf(key)).to.equal(200)
      seconds = 10
      expect(await statusOf(key)).to.equal(401)
    })

    it('are refused at once when revoked, and stay in lists', async () => {
      const { id, key } = await made()
      const revoked = await service.ask(manager, 'DELETE', `/admin/keys/${id}`)
      expect([revoked.status, revoked.body.status]).to.deep.equal([200, 'revoked'])
      expect(await statusOf(key)).to.equal(401)
      expect((await service.ask(manager, 'GET', `/admin/keys/${id}`)).body).to.include({
        id,
        status: 'revoked',
      })
      expect((await service.ask(manager, 'DELETE', `/admin/keys/${id}`)).status).to.equal(200)
      const rotated = await rotate(id)
      expect(rotated.body).to.deep.include({ error_type: 'InvalidAttributes' })
      expect(rotated.body.details).to.deep.equal({ status: 'Only an active key can be rotated' })
    })

    it('are refused at once when another process revoked them', async () => {
      const { id, key } = await made()
      const other = await httpService(place, { clock })
      await other.ask(manager, 'DELETE', `/admin/keys/${id}`)
      await other.stop()
      expect(await statusOf(key)).to.equal(401)
    })

    it('keep their permissions when rotated; the old secret ends at once', async () => {
      const old = await made({ grants: { customers: ['GET'] }, description: 'shop' })
      const { status, body } = await rotate(old.id)
      expect(status).to.equal(200)
      expect(body).to.deep.include({
        description: 'shop',
        rotated_from_id: old.id,
        grants: { customers: ['GET'] },
      })
      const fresh = String(body.secret_key)
      expect([
        await statusOf(old.key),
        await statusOf(fresh),
        await statusOf(fresh, '/transactions'),
      ]).to.deep.equal([401, 200, 403])
    })

    it('accept both secrets during the overlap of a rotation', async () => {
      const old = await made()
      expect((await rotate(old.id, { overlap: '60' })).status).to.equal(200)
      seconds = 59
      expect(await statusOf(old.key)).to.equal(200)
      seconds = 60
      expect(await statusOf(old.key)).to.equal(401)
      seconds = 0
      const dated = await made()
      await rotate(dated.id, { expires_at: at(5) })
      seconds = 5
      expect(await statusOf(dated.key)).to.equal(401)
    })

    it('never live longer because of a rotation', async () => {
      const { id } = await made({ expires_at: at(10) })
      const { body } = await rotate(id, { overlap: 60 })
      expect(body).to.include({ expires_at: at(10) })
      expect((await service.ask(manager, 'GET', `/admin/keys/${id}`)).body).to.include({ expires_at: at(10) })
    })

    it('are rotated only with a valid overlap', async () => {
      const { id, key } = await made()
      const senseless: JsonObject[] = [
        { overlap: -1 },
        { overlap: 'soon' },
        { overlap: 1e9 },
        { expires_at: 'soon' },
        { other: 1 },
      ]
      for (const body of senseless) {
        expect((await rotate(id, body)).body, JSON.stringify(body)).to.include({
          error_type: 'InvalidAttributes',
        })
      }
      expect(await statusOf(key)).to.equal(200)
    })

    it('can be narrowed to verbs on resources', async () => {
      const { key } = await made({ grants: { customers: ['get', 'POST'] } })
      expect(await statusOf(key)).to.equal(200)
      const ada = await service.ask(key, 'POST', '/customers', { name: 'Ada' })
      expect(ada.status).to.equal(200)
      expect((await service.ask(key, 'PUT', `/customers/${ada.body.id}`, { name: 'Eve' })).status).to.equal(
        403,
      )
      expect((await service.ask(key, 'DELETE', '/customers/acct_1')).status).to.equal(403)
      expect(await statusOf(key, '/transactions')).to.equal(403)
    })

    it('can be narrowed to existing processing accounts', async () => {
      const mine = await merchant()
      const other = await merchant()
      const { key, body } = await made({ processing_ids: [mine] })
      expect(body.processing_ids).to.deep.equal([mine])
      const seen = await service.ask(key, 'GET', '/processing_accounts?fields=id')
      expect(seen.body.values).to.deep.equal([{ id: mine }])
      expect(await statusOf(key, `/processing_accounts/${other}`)).to.equal(404)
      const unknown = await make({ processing_ids: [mine, 'acct_unknown'] })
      expect(unknown.body.details).to.deep.equal({ processing_ids: { 1: 'Not found' } })
    })

    it('are refused with invalid permissions', async () => {
      const refused: [JsonObject, JsonObject][] = [
        [{ grants: { nowhere: ['GET'] } }, { grants: { nowhere: 'Unknown path' } }],
        [
          { grants: { customers: ['PATCH'] } },
          { grants: { customers: 'Must be one of: GET, POST, PUT, DELETE' } },
        ],
        [{ grants: { customers: [] } }, { grants: { customers: 'Must be one of: GET, POST, PUT, DELETE' } }],
        [{ grants: {} }, { grants: 'Must be verbs by path segment, as {"transactions":["GET","POST"]}' }],
        [{ processing_ids: [] }, { processing_ids: 'Must be a list of ids' }],
        [{ processing_ids: [7] }, { processing_ids: 'Must be a list of ids' }],
        [{ expires_at: at(0) }, { expires_at: 'Must be in the future' }],
        [{ secret_key: 'test_secret_key_mine' }, { secret_key: 'Read only' }],
      ]
      for (const [body, details] of refused) {
        const answer = await make(body)
        expect(answer.status).to.equal(400)
        expect(answer.body.details).to.deep.equal(details)
      }
    })

    it('are created only with the manage permission, and never have more permissions than their creator', async () => {
      const plain = await made()
      expect((await make({}, plain.key)).status).to.equal(403)
      const maker = await made({
        manage: true,
        grants: { 'admin/keys': ['GET', 'POST', 'PUT', 'DELETE'], customers: ['GET'] },
        expires_at: at(100),
      })
      const inherited = await made({}, maker.key)
      expect(inherited.body).to.deep.include({
        manage: false,
        grants: maker.body.grants,
        expires_at: at(100),
      })
      const exceeding: [string, Json][] = [
        ['grants', { customers: ['GET', 'POST'] }],
        ['expires_at', at(101)],
      ]
      for (const [name, value] of exceeding) {
        const answer = await make({ [name]: value }, maker.key)
        expect(answer.status).to.equal(403)
        expect(answer.body.details).to.have.all.keys(name)
      }
      expect((await rotate(plain.id, {}, maker.key)).status).to.equal(403)
      const longer = await service.ask(maker.key, 'PUT', `/admin/keys/${maker.id}`, { expires_at: at(1000) })
      expect(longer.status).to.equal(403)
      expect(
        (await service.ask(maker.key, 'PUT', `/admin/keys/${maker.id}`, { description: 'me' })).status,
      ).to.equal(200)
    })
  })
})
