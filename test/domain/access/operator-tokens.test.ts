import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { asOutsider } from '../../support/outsider.js'

const KEYS = '/admin/keys'
const OPERATORS = '/admin/operators'

describe('a key that acts for an operator', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let count = 0
    before(async () => {
      core = await openCore(open)
      shop = idOf(await core.ok('POST', '/processing_accounts', { name: 'Corner Books' }))
    })

    const person = async (more: JsonObject = {}) => {
      const body = { name: 'Ada Park', email: `ada${++count}@example.com`, role: 'cashier', ...more }
      return idOf(await core.ok('POST', OPERATORS, body))
    }
    const makeKey = async (body: JsonObject, principal?: Principal) =>
      await core.send('POST', KEYS, body, principal && { principal })
    const tokenOf = async (operatorId: string, more: JsonObject = {}) => {
      const { body } = await makeKey({ operator_id: operatorId, ...more })
      return { id: idOf(body), secret: String(body.secret_key) }
    }
    const holder = async (secret: string) => (await core.app.authenticate(secret))?.principal

    it('has the current role, limits and accounts of the operator', async () => {
      const ada = await person({ limit_each: 20, processing_ids: [shop] })
      const { id: token, secret } = await tokenOf(ada)
      const cashier = {
        kind: 'operator',
        id: ada,
        role: 'cashier',
        manage: false,
        limits: { each: 2000, day: null },
        processingIds: [shop],
        token,
      }
      expect(await holder(secret)).to.deep.equal(cashier)
      await core.ok('PUT', `${OPERATORS}/${ada}`, { role: 'manager', limit_each: null, processing_ids: null })
      expect(await holder(secret)).to.deep.equal({
        kind: 'operator',
        id: ada,
        role: 'manager',
        manage: true,
        limits: { each: null, day: null },
        token,
      })
    })

    it('ends when it is revoked or expires, and while its operator is disabled or deleted', async () => {
      const ada = await person()
      const { id, secret } = await tokenOf(ada)
      const { secret: second } = await tokenOf(ada, { expires_at: '2099-01-01T00:00:00' })
      await core.ok('PUT', `${OPERATORS}/${ada}`, { status: 'disabled' })
      expect(await holder(secret)).to.equal(undefined)
      expect(await holder(second)).to.equal(undefined)
      await core.ok('PUT', `${OPERATORS}/${ada}`, { status: 'active' })
      expect(await holder(secret)).to.include({ id: ada })
      await core.ok('DELETE', `${KEYS}/${id}`)
      expect(await holder(secret)).to.equal(undefined)
      expect(await holder(second)).to.include({ id: ada })
      await core.ok('DELETE', `${OPERATORS}/${ada}`)
      expect(await holder(second)).to.equal(undefined)
    })

    it('is refused if its operator was changed outside of payctl', async () => {
      const own = await openCore(open, { report: () => undefined })
      const ada = idOf(
        await own.ok('POST', OPERATORS, { name: 'Ada', email: 'ada@example.com', role: 'viewer' }),
      )
      const secret = String((await own.ok('POST', KEYS, { operator_id: ada })).secret_key)
      expect((await own.app.authenticate(secret))?.principal).to.include({ role: 'viewer' })
      await asOutsider(own.place, `update admin_operators set role = 'owner'`)
      expect(await own.app.authenticate(secret)).to.equal(undefined)
    })

    it('has no permissions of its own', async () => {
      const ada = await person()
      const own = "A key of an operator has the operator's permissions only"
      const { body } = await makeKey({
        operator_id: ada,
        manage: true,
        processing_ids: [shop],
        grants: { transactions: ['GET'] },
      })
      expect(body.details).to.deep.equal({ manage: own, processing_ids: own, grants: own })
      expect((await makeKey({ operator_id: 'oper_unknown' })).body.details).to.deep.equal({
        operator_id: 'Not found',
      })
      const gone = await person({ status: 'disabled' })
      expect((await makeKey({ operator_id: gone })).body.details).to.deep.equal({
        operator_id: 'The operator is disabled',
      })
    })

    it('is created, renewed and rotated only by owners', async () => {
      const ada = await person()
      const { id } = await tokenOf(ada)
      const key: Principal = { kind: 'key', id: 'key_managing', manage: true }
      const text = 'Keys that stand for an operator need the role owner'
      const asKey = async (path: string, method: 'POST' | 'PUT', body: JsonObject) =>
        (await core.send(method, path, body, { principal: key })).body.error_description
      expect(await asKey(KEYS, 'POST', { operator_id: ada })).to.equal(text)
      expect(await asKey(`${KEYS}/${id}`, 'PUT', { expires_at: '2099-01-01T00:00:00' })).to.equal(text)
      expect(await asKey(`${KEYS}/${id}/rotate`, 'POST', {})).to.equal(text)
      const { body } = await core.send('POST', `${KEYS}/${id}/rotate`, {})
      expect(body.operator_id).to.equal(ada)
      expect(await holder(String(body.secret_key))).to.include({ id: ada })
    })
  })
})
