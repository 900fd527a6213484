import { expect } from 'chai'
import { payctl } from '../cli/commands/payctl.js'
import { idOf } from '../support/core.js'
import { onDatabases, type Place } from '../support/databases.js'
import { type HttpService, httpService } from '../support/http.js'

onDatabases((open) => {
  describe('maintenance of an environment', () => {
    let place: Place
    let service: HttpService
    let program: string
    let manager: string
    let client: string
    before(async () => {
      place = await open.migrated()
      service = await httpService(place)
      open.atEnd(() => service.stop())
      program = await service.key()
      manager = await service.key({ manage: true })
      const { body } = await service.ask(program, 'POST', '/access_tokens', { type: 'client' })
      client = idOf(body)
    })

    const payctlSays = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await payctl(place, [...words, '--json'])
      expect([exitCode, stderr]).to.deep.equal([0, ''])
      return JSON.parse(stdout)
    }
    const customers = (key: string) => service.ask(key, 'GET', '/customers')

    it('refuses requests of programs at once, but not of keys with manage and of the terminal', async () => {
      expect((await customers(program)).status).to.equal(200)
      await payctlSays('maintenance', 'on', '--message', 'Back at ten')
      const { status, headers, body } = await customers(program)
      expect(status).to.equal(503)
      expect(body).to.deep.equal({
        object: 'error',
        error_type: 'ServiceUnavailable',
        error_description: 'The service is in maintenance: Back at ten',
        details: {},
      })
      expect(headers.get('retry-after')).to.equal('60')
      expect((await service.ask(client, 'POST', '/transactions', {})).status).to.equal(503)
      const paid = await service.ask(program, 'POST', '/customers', { name: 'Ada' })
      expect(paid.status).to.equal(503)
      expect((await customers(manager)).status).to.equal(200)
      expect((await customers('test_secret_key_unknown')).status).to.equal(401)
      expect((await fetch(`${service.address}/healthz`)).status).to.equal(200)
      expect(await payctlSays('customers', 'list')).to.deep.equal({ object: 'list', values: [] })
    })

    it('does not affect the other environment', async () => {
      const live = await service.key({}, 'live')
      expect((await customers(live)).status).to.equal(200)
      expect(await payctlSays('maintenance', 'status')).to.include({ enabled: true, message: 'Back at ten' })
    })

    it('can be ended over HTTP', async () => {
      const refused = await service.ask(program, 'PUT', '/admin/maintenance', { enabled: false })
      expect(refused.status).to.equal(503)
      await service.ask(manager, 'PUT', '/admin/maintenance', { enabled: true })
      expect((await customers(program)).body.error_description).to.equal(
        'The service is in maintenance: try again later',
      )
      expect(
        (await service.ask(manager, 'PUT', '/admin/maintenance', { enabled: false })).body,
      ).to.deep.equal({
        object: 'maintenance',
        enabled: false,
        message: null,
        since: null,
      })
      expect((await customers(program)).status).to.equal(200)
      expect((await service.ask(program, 'GET', '/admin/maintenance')).status).to.equal(403)
    })
  })
})
