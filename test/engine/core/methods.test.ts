import { expect } from 'chai'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

onDatabases((open) => {
  describe('a method that a path does not accept', () => {
    let core: TestCore
    let id: string
    before(async () => {
      core = await openCore(open)
      id = idOf(await core.ok('POST', '/customers', { name: 'Ada' }))
    })

    const REFUSED: [method: Method, path: (id: string) => string, allowed: string][] = [
      ['POST', (id) => `/customers/${id}`, 'GET, PUT, DELETE'],
      ['PUT', (id) => `/accounts/${id}/payment_methods`, 'GET, POST'],
      ['DELETE', (id) => `/accounts/${id}/payment_methods`, 'GET, POST'],
      ['POST', () => '/transactions/txn_1/payment_method', 'GET'],
      ['GET', () => '/admin/keys/key_1/rotate', 'POST'],
      ['DELETE', () => '/admin/keys/key_1/rotate', 'POST'],
      ['DELETE', () => '/admin/maintenance', 'GET, PUT'],
    ]
    for (const [method, path, allowed] of REFUSED) {
      it(`is refused with the list of methods that the path accepts: ${method} ${path('…')}`, async () => {
        const { status, headers, body } = await core.send(method, path(id))
        expect([status, headers.Allow]).to.deep.equal([405, allowed])
        expect(body).to.include({ object: 'error', error_type: 'MethodNotAllowed' })
        expect(body.error_description).to.equal(`${path(id)} takes ${allowed} only`)
      })
    }
  })
})
