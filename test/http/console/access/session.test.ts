import { expect } from 'chai'
import { consoleAccess } from '../../../../src/domain/access/operators/console-access.js'
import type { Work } from '../../../../src/engine/core/write/work.js'
import { systemRandom } from '../../../../src/platform/random.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import type { ConsoleBrowser } from '../../../support/console-browser.js'
import { type ConsoleWorld, consoleWorld, EMAIL, keyIn, PASSWORD } from '../../../support/console-world.js'
import { objectOf, valuesOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { asOutsider } from '../../../support/outsider.js'
import { putBack, stolenRows } from '../../../support/stolen-rows.js'

const HOME = '/console/test/'
const SESSIONS = '/admin/operator_sessions'
const TABLE = 'admin_operator_sessions'
const COOKIE = 'payctl_console'
const MINUTE = 60_000

onDatabases((open) => {
  describe('a session of the console', () => {
    let world: ConsoleWorld
    before(async () => {
      world = await consoleWorld(open)
    })
    const isIn = async (browser: ConsoleBrowser, path = HOME) => (await browser.get(path)).status === 200
    const sessions = async () => valuesOf(await world.ask('GET', SESSIONS))
    const idIn = (browser: ConsoleBrowser) =>
      /test\.(sess_\w+)\./.exec(browser.cookies.get(COOKIE) ?? '')?.[1] ?? ''

    it('ends half an hour after its last use', async () => {
      const browser = await world.entered()
      for (let uses = 0; uses < 3; uses++) {
        world.clock.ahead += 29 * MINUTE
        expect(await isIn(browser), `use ${uses}`).to.equal(true)
      }
      world.clock.ahead += 30 * MINUTE
      expect((await browser.get(HOME)).location).to.equal('/console/test/sign-in')
    })

    it('ends eight hours after its beginning, even in constant use', async () => {
      const browser = await world.entered()
      for (let uses = 0; uses < 23; uses++) {
        world.clock.ahead += 20 * MINUTE
        expect(await isIn(browser), `use ${uses}`).to.equal(true)
      }
      world.clock.ahead += 20 * MINUTE
      expect(await isIn(browser)).to.equal(false)
    })

    it('stores its last use at most once a minute', async () => {
      const browser = await world.entered()
      const seen = async () => (await world.ask('GET', `${SESSIONS}/${idIn(browser)}`)).seen_at
      const first = await seen()
      world.clock.ahead += MINUTE - 1_000
      await browser.get(HOME)
      expect(await seen()).to.equal(first)
      world.clock.ahead += 1_000
      await browser.get(HOME)
      expect(await seen()).to.not.equal(first)
    })

    it('is listed without its secret, and ends at once when it is deleted', async () => {
      const browser = await world.entered()
      const secret = browser.cookies.get(COOKIE)?.split('.')[2] ?? ''
      const session = objectOf((await sessions()).find(({ id }) => id === idIn(browser)))
      expect(session).to.include({ operator_id: world.ada.test, proof: 'code', address: '127.0.0.1' })
      expect(secret).to.have.lengthOf(43)
      const rows = await read(({ tx }) => tx.db.selectFrom('admin_operator_sessions').selectAll().execute())
      expect(JSON.stringify([session, rows])).to.not.contain(secret)
      await world.ask('DELETE', `${SESSIONS}/${session.id}`)
      expect(await isIn(browser)).to.equal(false)
    })

    it('ends at sign-out, and its cookie opens no page afterwards', async () => {
      const browser = await world.entered()
      const stolen = world.browser()
      stolen.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? '')
      expect(await isIn(stolen)).to.equal(true)
      const out = await browser.submit(await browser.get(HOME))
      expect(out.location).to.equal('/console/test/sign-in')
      expect(browser.cookies.has(COOKIE)).to.equal(false)
      expect(await isIn(stolen)).to.equal(false)
    })

    it('has a new secret after each sign-in, whatever cookie the browser had before', async () => {
      const attacker = await world.entered()
      const planted = attacker.cookies.get(COOKIE) ?? ''
      const victim = world.browser()
      victim.cookies.set(COOKIE, planted)
      await victim.submit(await victim.get(await world.entry()))
      expect(victim.cookies.get(COOKIE)).to.not.equal(planted)
      expect(await isIn(victim)).to.equal(true)
      expect(await isIn(attacker), 'the planted session has ended').to.equal(false)
      const invented = world.browser()
      invented.cookies.set(COOKIE, `test.sess_1234567890123456789012.${'A'.repeat(43)}`)
      expect(await isIn(invented)).to.equal(false)
    })

    it('does not end when another operator signs in with its id in their cookie', async () => {
      const browser = await world.entered()
      const other = world.browser()
      other.cookies.set(COOKIE, `test.${idIn(browser)}.${'A'.repeat(43)}`)
      await other.submit(await other.get(await world.entry()))
      expect([await isIn(browser), await isIn(other)]).to.deep.equal([true, true])
    })

    it('ends with a new password, except in the browser that sets it', async () => {
      const browser = await world.entered()
      const other = await world.entered()
      const page = await browser.get('/console/test/set-up')
      const before = browser.cookies.get(COOKIE)
      expect(
        (await browser.submit(page, { password: PASSWORD, code: world.code(keyIn(page)) })).status,
      ).to.equal(303)
      expect(browser.cookies.get(COOKIE)).to.not.equal(before)
      expect([await isIn(browser), await isIn(other)]).to.deep.equal([true, false])
    })

    it('ends when the permissions of its operator change, and when the operator is disabled', async () => {
      const path = `/admin/operators/${world.ada.test}`
      const changes: readonly JsonObject[] = [
        { role: 'viewer' },
        { role: 'owner' },
        { password: 'chosen by an owner' },
        { email: 'grace@example.com' },
        { email: EMAIL },
        { status: 'disabled' },
      ]
      for (const change of changes) {
        await world.ask('PUT', path, { status: 'active' })
        const { email } = await world.ask('GET', path)
        const browser = world.browser()
        await browser.submit(await browser.get(await world.entry('test', String(email))))
        expect(await isIn(browser)).to.equal(true)
        await world.ask('PUT', path, change)
        expect(await isIn(browser), JSON.stringify(change)).to.equal(false)
      }
      await world.ask('PUT', path, { status: 'active' })
    })

    it("stays ended when the operator's permissions are restored", async () => {
      const path = `/admin/operators/${world.ada.test}`
      const turns: readonly (readonly [JsonObject, JsonObject])[] = [
        [{ status: 'disabled' }, { status: 'active' }],
        [{ role: 'viewer' }, { role: 'owner' }],
      ]
      for (const [change, back] of turns) {
        const browser = await world.entered()
        await world.ask('PUT', path, change)
        await world.ask('PUT', path, back)
        expect(await isIn(browser), JSON.stringify(change)).to.equal(false)
        expect((await sessions()).map(({ id }) => id)).to.not.include(idIn(browser))
      }
    })

    it('is refused if its operator changes at the moment it begins', async () => {
      const path = `/admin/operators/${world.ada.test}`
      for (let turn = 0; turn < 5; turn++) {
        const browser = world.browser()
        const page = await browser.get(await world.entry())
        await Promise.all([browser.submit(page), world.ask('PUT', path, { status: 'disabled' })])
        await world.ask('PUT', path, { status: 'active' })
        expect(await isIn(browser)).to.equal(false)
      }
    })

    it('has the current limits of its operator', async () => {
      const path = `/admin/operators/${world.ada.test}`
      const browser = await world.entered()
      const { core } = await world.service.app.environment('test')
      await world.ask('PUT', path, { limit_each: 5 })
      const access = consoleAccess({ core, random: systemRandom, report: () => undefined })
      const cookie = browser.cookies.get(COOKIE)?.replace('test.', '') ?? ''
      const signedIn = await access.signedIn(cookie)
      expect(signedIn?.principal.limits).to.deep.equal({ each: 500, day: null })
      await world.ask('PUT', path, { limit_each: null })
    })

    it('stays ended if its old row is restored in the database', async () => {
      const browser = await world.entered()
      const cookie = browser.cookies.get(COOKIE) ?? ''
      const rows = await stolenRows(world.place, TABLE, `id = '${idIn(browser)}'`)
      expect(rows).to.have.lengthOf(1)
      await browser.submit(await browser.get(HOME))
      await putBack(world.place, TABLE, rows)
      browser.cookies.set(COOKIE, cookie)
      expect(await isIn(browser)).to.equal(false)
      await asOutsider(world.place, `delete from ${TABLE} where id = '${rows[0]?.['id']}'`)
    })

    it('is refused if its lifetime was extended outside of payctl', async () => {
      const browser = await world.entered()
      const is = `id = '${idIn(browser)}'`
      const honest = await stolenRows(world.place, TABLE, is)
      await asOutsider(world.place, `update ${TABLE} set expires_at = '2099-01-01 00:00:00' where ${is}`)
      expect(await isIn(browser)).to.equal(false)
      await putBack(world.place, TABLE, honest)
      expect(await isIn(browser)).to.equal(true)
    })

    it('leaves activity lines that name its operator for sign-in, new password and sign-out', async () => {
      const browser = world.browser()
      await world.setUp(browser)
      world.clock.ahead += 2 * MINUTE
      await browser.submit(await browser.get(HOME))
      const lines = valuesOf(await world.ask('GET', '/admin/activity')).slice(0, 3)
      expect(lines.map(({ action }) => action)).to.deep.equal([
        'delete operator_session',
        'update operator',
        'create operator_session',
      ])
      for (const line of lines) expect(line).to.include({ operator_id: world.ada.test, through: 'console' })
    })

    it('has rows that are deleted when it ends', async () => {
      await world.entered()
      world.clock.ahead += 9 * 60 * MINUTE
      const browser = await world.entered()
      expect((await sessions()).map(({ id }) => id)).to.deep.equal([idIn(browser)])
    })

    it('shares its cookie with the session of the other environment', async () => {
      const browser = await world.entered()
      const switched = await browser.get('/console/live/transactions')
      expect(switched.location).to.equal('/console/live/sign-in?to=%2Fconsole%2Flive%2Ftransactions')
      await world.setUp(browser, 'live')
      expect(browser.cookies.get(COOKIE)).to.match(/^test\.[\w.-]+~live\.[\w.-]+$/)
      expect([await isIn(browser), await isIn(browser, '/console/live/')]).to.deep.equal([true, true])
      const swapped = world.browser()
      const [test = '', live = ''] = browser.cookies.get(COOKIE)?.split('~') ?? []
      swapped.cookies.set(COOKIE, `${live.replace('live.', 'test.')}~${test.replace('test.', 'live.')}`)
      expect([await isIn(swapped), await isIn(swapped, '/console/live/')]).to.deep.equal([false, false])
      await browser.submit(await browser.get(HOME))
      expect([await isIn(browser), await isIn(browser, '/console/live/')]).to.deep.equal([false, true])
    })

    async function read<T>(job: (work: Work) => Promise<T>): Promise<T> {
      return await (await world.service.app.environment('test')).core.read(job)
    }
  })
})
