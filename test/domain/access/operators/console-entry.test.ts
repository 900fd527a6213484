import { expect } from 'chai'
import { enterByCode } from '../../../../src/domain/access/operators/entry.js'
import type { Principal } from '../../../../src/engine/core/request/principal.js'
import { idOf, openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'

const PATH = '/admin/console_entries'
const ADA = { name: 'Ada Park', email: 'ada@example.com', role: 'cashier' }
const BEN = { name: 'Ben Roy', email: 'ben@example.com', role: 'cashier' }

onDatabases((open) => {
  describe('entry codes of the console', () => {
    const clock = { ahead: 0, now: () => Date.UTC(2027, 0, 1) + clock.ahead }
    let core: TestCore
    let ada: string
    before(async () => {
      core = await openCore(open, { clock })
      ada = idOf(await core.ok('POST', '/admin/operators', ADA))
      await core.ok('POST', '/admin/operators', BEN)
    })
    const enter = async (code: unknown) =>
      await core.environment.core.write((work) => enterByCode(work, String(code)))

    it("are created for an operator's address, and are valid for two minutes", async () => {
      const made = await core.ok('POST', PATH, { email: 'Ada@Example.com' })
      expect(made).to.include({ object: 'console_entry', email: ADA.email })
      expect(made.code).to.match(/^test_console_entry_[0-9A-Za-z]{43}$/)
      expect(made.expires_at).to.equal('2027-01-01 00:02:00')
      expect(await enter(made.code)).to.deep.equal({ kind: 'entered', operatorId: ada })
    })

    it('work once, even if several requests use the same code at the same time', async () => {
      const { code } = await core.ok('POST', PATH, { email: ADA.email })
      const uses = await Promise.all([enter(code), enter(code), enter(code)])
      expect(uses.map(({ kind }) => kind).toSorted()).to.deep.equal(['entered', 'used', 'used'])
    })

    it('are unknown after two minutes, and are stored only as a hash', async () => {
      const { code } = await core.ok('POST', PATH, { email: ADA.email })
      clock.ahead += 120_000
      expect(await enter(code)).to.deep.equal({ kind: 'unknown' })
      expect(await enter('test_console_entry_guessed')).to.deep.equal({ kind: 'unknown' })
      const rows = await core.environment.core.read(({ tx }) =>
        tx.db.selectFrom('operator_entries').selectAll().execute(),
      )
      expect(rows).to.have.length.above(0)
      expect(JSON.stringify(rows)).to.not.contain(String(code))
    })

    it('can be created by everyone for themselves, and by owners for others', async () => {
      const cashier: Principal = { kind: 'operator', id: ada, role: 'cashier', manage: true }
      const own = await core.send('POST', PATH, {}, { principal: cashier })
      expect(own.body).to.include({ email: ADA.email })
      const foreign = await core.send('POST', PATH, { email: BEN.email }, { principal: cashier })
      expect(foreign.status).to.equal(403)
      const unknown = await core.send('POST', PATH, { email: 'eve@example.com' }, { principal: cashier })
      expect(unknown.status).to.equal(403)
    })

    it('can be created by narrowed operators only for themselves', async () => {
      const processing_ids = [idOf(await core.ok('POST', '/processing_accounts', { name: 'Corner Books' }))]
      for (const role of ['viewer', 'owner'] as const) {
        const email = `${role}@example.com`
        const id = idOf(await core.ok('POST', '/admin/operators', { ...ADA, email, role, processing_ids }))
        const narrowed: Principal = {
          kind: 'operator',
          id,
          role,
          manage: true,
          processingIds: processing_ids,
        }
        expect((await core.ok('POST', PATH, {}, { principal: narrowed })).email).to.equal(email)
        const foreign = await core.send('POST', PATH, { email: ADA.email }, { principal: narrowed })
        expect(foreign.status, role).to.equal(403)
      }
    })

    it('cannot be created by keys with restrictions, or for the holder of a token with them', async () => {
      const keys: readonly Principal[] = [
        { kind: 'key', id: 'key_a', manage: true, grants: { 'admin/console_entries': ['POST'] } },
        { kind: 'key', id: 'key_b', manage: true, processingIds: ['acct_x'] },
        { kind: 'operator', id: ada, role: 'cashier', manage: false, token: 'key_c' },
      ]
      for (const principal of keys)
        expect((await core.send('POST', PATH, { email: ADA.email }, { principal })).status).to.equal(403)
      const whole: readonly Principal[] = [
        { kind: 'key', id: 'key_d', manage: true },
        { kind: 'operator', id: 'oper_x', role: 'owner', manage: true, token: 'key_e' },
      ]
      for (const principal of whole)
        expect((await core.send('POST', PATH, { email: ADA.email }, { principal })).status).to.equal(200)
    })

    it('are not created for unknown, nameless or disabled operators', async () => {
      for (const body of [{ email: 'eve@example.com' }, null])
        expect((await core.send('POST', PATH, body ?? {})).status).to.equal(400)
      const gone = idOf(await core.ok('POST', '/admin/operators', { ...BEN, email: 'cy@example.com' }))
      await core.ok('PUT', `/admin/operators/${gone}`, { status: 'disabled' })
      expect((await core.send('POST', PATH, { email: 'cy@example.com' })).status).to.equal(400)
    })
  })
})
