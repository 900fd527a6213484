import { expect } from 'chai'
import type { Principal } from '../../../../src/engine/core/request/principal.js'
import type { Json } from '../../../../src/schema/json.js'
import { openCore, type SendOptions, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'

const PATH = '/admin/maintenance'
const key: Principal = { kind: 'key', id: 'key_1', manage: true }

onDatabases((open) => {
  describe('an admin operation', () => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })
    const put = (body: Json, options?: SendOptions) => core.send('PUT', PATH, body, options)

    it('answers with the result of its operation', async () => {
      const { body } = await core.send('GET', PATH, undefined, { query: 'fields=since,enabled' })
      expect(body).to.deep.equal({ since: null, enabled: false })
      expect((await put({ enabled: false }, { query: 'fields=*' })).body).to.include({
        object: 'maintenance',
      })
    })

    it('names every attribute that it does not understand', async () => {
      const refused: [body: Json, query: string, details: Json][] = [
        [{}, '', { enabled: 'Required' }],
        [
          { enabled: 'perhaps', since: null },
          '',
          { enabled: 'Must be true or false', since: 'Unknown attribute' },
        ],
        [{ enabled: false }, 'fields=since,until', { fields: { until: 'Unknown attribute' } }],
        [{ enabled: false }, 'fields=*,month(since)', { fields: { 'month(since)': 'Unknown attribute' } }],
        [{ enabled: false }, 'fields=toString', { fields: { toString: 'Unknown attribute' } }],
        [{ enabled: false }, 'enabled=true', { enabled: 'Unknown attribute' }],
        ['on', '', {}],
        [[{ enabled: true }], '', {}],
      ]
      for (const [body, query, details] of refused) {
        const response = await put(body, { query })
        expect(response.status, JSON.stringify(body)).to.equal(400)
        expect(response.body.details).to.deep.equal(details)
      }
      const { status, body } = await core.send('GET', PATH, undefined, { query: 'enabled=true' })
      expect(status).to.equal(400)
      expect(body).to.deep.include({ details: { enabled: 'Unknown attribute' } })
    })

    it('accepts only its declared methods', async () => {
      for (const method of ['POST', 'DELETE'] as const) {
        const { status, headers, body } = await core.send(method, PATH)
        expect([status, headers.Allow]).to.deep.equal([405, 'GET, PUT'])
        expect(body).to.include({ error_type: 'MethodNotAllowed' })
      }
      expect((await core.send('GET', `${PATH}/more`)).status).to.equal(404)
    })

    it('needs the permission manage and a key that is not narrowed to accounts', async () => {
      const refused: [principal: Principal, description: string][] = [
        [{ ...key, manage: false }, '/admin/maintenance needs the permission manage'],
        [{ ...key, grants: { transactions: ['GET', 'PUT'] } }, 'The key may not PUT /admin/maintenance'],
        [{ ...key, grants: { 'admin/maintenance': ['GET'] } }, 'The key may not PUT /admin/maintenance'],
        [
          { ...key, processingIds: ['acct_1'] },
          '/admin/maintenance is closed to keys that are narrowed to processing accounts',
        ],
      ]
      for (const [principal, description] of refused) {
        const { status, body } = await put({ enabled: false }, { principal })
        expect(status).to.equal(403)
        expect(body).to.include({ error_type: 'Forbidden', error_description: description })
      }
      for (const principal of [key, { ...key, grants: { 'admin/maintenance': ['PUT'] } } as const])
        expect((await put({ enabled: false }, { principal })).status).to.equal(200)
    })
  })
})
