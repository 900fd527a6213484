import { expect } from 'chai'
import { loginPrincipal, operatorOfUid } from '../../../src/domain/access/operators/operator-principal.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

const PATH = '/admin/operators'

describe('operators', () => {
  onDatabases((open) => {
    let core: TestCore
    let count = 0
    before(async () => {
      core = await openCore(open)
    })

    const person = (more: JsonObject = {}) => ({
      name: 'Ada Park',
      email: `ada${++count}@example.com`,
      role: 'cashier',
      ...more,
    })
    const add = async (more?: JsonObject) => await core.ok('POST', PATH, person(more))
    const details = async (body: JsonObject) => (await core.send('POST', PATH, body)).body.details
    const change = async (id: string, body: JsonObject) => await core.send('PUT', `${PATH}/${id}`, body)
    const login = async (uid: number | undefined, ownsHome = true) =>
      await core.environment.core.read((work) => loginPrincipal(work, { uid, ownsHome }))

    /** Starts a session in the same way as the console. */
    const beginSession = async (operatorId: string) =>
      await core.environment.core.write(async (work) => {
        const row = { ...work.blank(resources.operator_session), operator_id: operatorId }
        await work.insert(resources.operator_session, row)
      })
    const sessionsOf = async (operatorId: string) =>
      valuesOf(
        await core.ok('GET', '/admin/operator_sessions', undefined, { query: `operator_id=${operatorId}` }),
      ).length

    it('are unique by e-mail address in any case, by login and by uid', async () => {
      const taken = 'There is an operator with it already'
      const ada = await add({ email: 'Ada@Example.com', login: 'ada', uid: 501 })
      expect(ada.email).to.equal('ada@example.com')
      expect(await details(person({ email: 'ADA@example.COM' }))).to.deep.equal({ email: taken })
      expect(await details(person({ login: 'ada' }))).to.deep.equal({ login: taken })
      expect(await details(person({ uid: 501 }))).to.deep.equal({ uid: taken })
      const bob = idOf(await add({ uid: 502 }))
      expect((await change(bob, { uid: 501 })).body.details).to.deep.equal({ uid: taken })
      expect((await change(bob, { email: 'bob@example.com', uid: 502 })).status).to.equal(200)
      await core.ok('DELETE', `${PATH}/${idOf(ada)}`)
      expect((await core.send('POST', PATH, person({ email: 'ada@example.com', uid: 501 }))).status).to.equal(
        200,
      )
    })

    it('are created once by two simultaneous requests for the same address', async () => {
      const body = person()
      const answers = await Promise.all([1, 2].map(() => core.send('POST', PATH, body)))
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 400])
    })

    it('have a password of at least ten characters, stored only as a hash', async () => {
      const short = { password: 'Must have at least 10 characters' }
      expect(await details(person({ password: 'nine char' }))).to.deep.equal(short)
      const made = await add({ password: 'ten chars!' })
      expect(made.has_password).to.equal(true)
      expect(JSON.stringify(made)).not.to.contain('ten chars')
      const [row] = await core.environment.core.read((work) =>
        work.findBy(resources.operator, 'id', idOf(made)),
      )
      expect(row?.password_hash).to.match(/^scrypt\$/)
    })

    it('are narrowed only to existing processing accounts', async () => {
      expect(await details(person({ processing_ids: ['acct_unknown'] }))).to.deep.equal({
        processing_ids: { '0': 'Not found' },
      })
      expect(await details(person({ processing_ids: [] }))).to.deep.equal({
        processing_ids: 'Must be a list of ids',
      })
      const shop = idOf(await core.ok('POST', '/processing_accounts', { name: 'Corner Books' }))
      expect((await add({ processing_ids: [shop] })).processing_ids).to.deep.equal([shop])
    })

    const ending: readonly (readonly [string, JsonObject, number])[] = [
      ['password', { password: 'another one' }, 0],
      ['address', { email: 'grace@example.com' }, 0],
      ['role', { role: 'viewer' }, 0],
      ['status', { status: 'disabled' }, 0],
      ['limits, which apply at once', { limit_each: 5, limit_day: 50 }, 1],
      ['name', { name: 'Grace Park' }, 1],
      ['role to the same role', { role: 'cashier' }, 1],
    ]
    for (const [what, body, left] of ending) {
      it(`${left === 0 ? 'lose' : 'keep'} their sessions after a change of their ${what}`, async () => {
        const id = idOf(await add())
        await beginSession(id)
        expect(await sessionsOf(id)).to.equal(1)
        expect((await change(id, body)).status).to.equal(200)
        expect(await sessionsOf(id)).to.equal(left)
      })
    }

    it('lose their sessions when their accounts are narrowed', async () => {
      const shop = idOf(await core.ok('POST', '/processing_accounts', { name: 'Corner Books' }))
      const id = idOf(await add())
      await beginSession(id)
      expect((await change(id, { processing_ids: [shop] })).status).to.equal(200)
      expect(await sessionsOf(id)).to.equal(0)
    })

    it('lose their sessions when they are deleted', async () => {
      const id = idOf(await add())
      await beginSession(id)
      await core.ok('DELETE', `${PATH}/${id}`)
      expect(await sessionsOf(id)).to.equal(0)
    })

    it('cannot be created by keys with restrictions', async () => {
      const grants = { 'admin/operators': ['POST' as const, 'PUT' as const] }
      const bounded = { kind: 'key', id: 'key_bounded', manage: true, grants } as const
      const refused = await core.send('POST', PATH, person({ role: 'owner' }), { principal: bounded })
      expect(refused.status).to.equal(403)
      const unbounded = { kind: 'key', id: 'key_unbounded', manage: true } as const
      expect((await core.send('POST', PATH, person(), { principal: unbounded })).status).to.equal(200)
    })

    it('are found by the uid of their login, and refused while they are disabled', async () => {
      const made = await add({ login: 'carol', uid: 700, limit_each: 20, limit_day: 50 })
      expect(await core.environment.core.read((work) => operatorOfUid(work, 700))).to.include({ id: made.id })
      expect(await login(700, false)).to.deep.equal({
        kind: 'operator',
        id: made.id,
        role: 'cashier',
        manage: false,
        limits: { each: 2000, day: 5000 },
      })
      await change(idOf(made), { status: 'disabled' })
      expect(await login(700)).to.equal(undefined)
    })

    it('cannot be demoted as the last owner with a login, so that someone keeps access', async () => {
      const own = await openCore(open)
      const put = async (id: string, body: JsonObject) =>
        (await own.send('PUT', `${PATH}/${id}`, body)).status
      const shop = idOf(await own.ok('POST', '/processing_accounts', { name: 'Corner Books' }))
      const boss = idOf(await own.ok('POST', PATH, person({ role: 'owner', uid: 800 })))
      await own.ok('POST', PATH, person({ role: 'owner' }))
      await own.ok('POST', PATH, person({ role: 'owner', uid: 802, status: 'disabled' }))
      const leaving: readonly JsonObject[] = [
        { role: 'manager' },
        { status: 'disabled' },
        { processing_ids: [shop] },
      ]
      for (const body of leaving) expect(await put(boss, body), JSON.stringify(body)).to.equal(409)
      expect(await put(boss, { name: 'Grace Park' })).to.equal(200)
      // A login without an operator has the permissions of an owner again.
      expect(await put(boss, { uid: null, role: 'manager' })).to.equal(200)
      expect(await put(boss, { uid: 800, role: 'owner' })).to.equal(200)
      await own.ok('POST', PATH, person({ role: 'owner', uid: 801 }))
      expect(await put(boss, { status: 'disabled' })).to.equal(200)
    })

    it('are not needed by the login that owns the data directory, until a mapping is required', async () => {
      const settings = '/admin/operator_settings'
      expect(await login(901)).to.deep.equal(owner)
      expect(await login(undefined)).to.deep.equal(owner)
      expect(await login(901, false)).to.equal(undefined)
      const early = await core.send('PUT', settings, { require_mapping: true })
      expect(early.body.error_type).to.equal('Conflict')
      const boss = idOf(await add({ role: 'owner', uid: 800 }))
      const on = await core.ok('PUT', settings, { require_mapping: true })
      expect(on).to.include({ object: 'operator_settings', require_mapping: true })
      expect(await login(901)).to.equal(undefined)
      expect(await login(undefined)).to.equal(undefined)
      expect(await login(800)).to.include({ id: boss, role: 'owner' })
      const leaving: readonly JsonObject[] = [{ role: 'manager' }, { status: 'disabled' }, { uid: null }]
      for (const body of leaving)
        expect((await change(boss, body)).body.error_type, JSON.stringify(body)).to.equal('Conflict')
      expect((await core.send('DELETE', `${PATH}/${boss}`)).status).to.equal(409)
      const heir = idOf(await add({ role: 'owner', uid: 801 }))
      const left = await Promise.all([boss, heir].map((id) => change(id, { role: 'manager' })))
      expect(left.map(({ status }) => status).toSorted()).to.deep.equal([200, 409])
      await core.ok('PUT', settings, { require_mapping: false })
      expect(await login(901)).to.deep.equal(owner)
    })
  })
})
