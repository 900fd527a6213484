import { expect } from 'chai'
import { noteUse } from '../../../../src/domain/access/operators/operator-session.js'
import { NotAsSealed } from '../../../../src/domain/access/seals/not-as-sealed.js'
import { hashPassword } from '../../../../src/domain/access/sign-in/password.js'
import { systemRandom } from '../../../../src/platform/random.js'
import type { ConsoleBrowser } from '../../../support/console-browser.js'
import { type ConsoleWorld, consoleWorld, EMAIL, PASSWORD } from '../../../support/console-world.js'
import { idOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { asOutsider } from '../../../support/outsider.js'
import { rejection } from '../../../support/rejection.js'
import { putBack, type StolenRow, stolenRows } from '../../../support/stolen-rows.js'

const HOME = '/console/test/'
const OPERATORS = 'admin_operators'
const SESSIONS = 'admin_operator_sessions'
const ENTRIES = 'operator_entries'
const COOKIE = 'payctl_console'
const PLANTED = 'password of a thief'
const EVE = 'eve@example.com'

onDatabases((open) => {
  describe('an attacker who writes into the database', () => {
    let world: ConsoleWorld
    let ada: ConsoleBrowser
    let key: string
    let eve: { readonly id: string; readonly browser: ConsoleBrowser }
    let planted: string
    before(async () => {
      world = await consoleWorld(open, { limits: { signInRate: 0 } })
      ada = world.browser()
      key = await world.setUp(ada)
      const made = { name: 'Eve Moss', email: EVE, role: 'cashier', password: PLANTED }
      const id = idOf(await world.ask('POST', '/admin/operators', made))
      const browser = world.browser()
      await browser.submit(await browser.get(await world.entry('test', EVE)))
      eve = { id, browser }
      planted = await hashPassword(PLANTED, systemRandom)
    })

    const isIn = async (browser: ConsoleBrowser) => (await browser.get(HOME)).status === 200
    const sessionIn = (browser: ConsoleBrowser) =>
      /test\.(sess_\w+)\./.exec(browser.cookies.get(COOKIE) ?? '')?.[1] ?? ''
    const signIn = async (fields: Readonly<Record<string, string>>) => {
      const browser = world.browser()
      return (await browser.submit(await browser.get('/console/test/sign-in'), fields)).status
    }
    const rowOf = async (table: string, id: string): Promise<StolenRow> => {
      const [row] = await stolenRows(world.place, table, `id = '${id}'`)
      if (!row) throw new Error(`${id} is not there`)
      return row
    }
    const set = async (table: string, id: string, column: string, value: string) =>
      await asOutsider(world.place, `update ${table} set ${column} = ${value} where id = '${id}'`)
    const insert = async (table: string, row: StolenRow) => await putBack(world.place, table, [row])
    const remove = async (table: string, id: string) =>
      await asOutsider(world.place, `delete from ${table} where id = '${id}'`)

    const columns: readonly (readonly [column: string, value: () => string])[] = [
      ['password_hash', () => `'${planted}'`],
      ['sealed_totp', () => 'null'],
      ['has_second_factor', () => '0'],
      ['totp_step', () => '0'],
      ['role', () => "'manager'"],
      ['processing_ids', () => "'not JSON'"],
      ['limit_day', () => '99'],
      ['email', () => "'thief@example.com'"],
      ['name', () => "'Thief'"],
      ['uid', () => '4711'],
    ]
    for (const [column, value] of columns)
      it(`gains no access by the ${column} of an operator, and the service does not seal that value`, async () => {
        const { test: id } = world.ada
        const honest = await rowOf(OPERATORS, id)
        const [form, page] = [await ada.get('/console/test/set-up'), await ada.get(HOME)]
        const code = await world.entry()
        await set(OPERATORS, id, column, value())
        world.clock.ahead += 60_000
        const totp = world.code(key)
        expect(await isIn(ada), 'by the session').to.equal(false)
        for (const email of column === 'email' ? ['thief@example.com'] : [EMAIL])
          for (const password of [PASSWORD, PLANTED])
            expect(await signIn({ email, password, code: totp }), `by ${password}`).to.equal(400)
        const entering = world.browser()
        expect((await entering.submit(await entering.get(code))).status, 'by a code').to.equal(404)
        const chosen = { password: PLANTED, code: totp }
        expect((await ada.submit(form, chosen)).location, 'by set-up').to.contain('/sign-in')
        expect((await ada.submit(page)).status, 'by signing out').to.equal(303)
        await putBack(world.place, OPERATORS, [honest])
        ada = world.browser()
        expect(await signIn({ email: EMAIL, password: PASSWORD, code: totp }), 'nothing was sealed').to.equal(
          303,
        )
        expect((await ada.submit(await ada.get(await world.entry()))).status).to.equal(303)
      })

    it('cannot sign in as an operator they added', async () => {
      const row = await rowOf(OPERATORS, world.ada.test)
      const id = 'oper_0000000000000000000000'
      await insert(OPERATORS, {
        ...row,
        id,
        email: 'new@example.com',
        uid: null,
        password_hash: planted,
        has_second_factor: 0,
        sealed_totp: null,
      })
      expect(await signIn({ email: 'new@example.com', password: PLANTED })).to.equal(400)
      await remove(OPERATORS, id)
    })

    const sessionColumns: readonly (readonly [column: string, value: () => string])[] = [
      ['operator_id', () => `'${world.ada.test}'`],
      ['proof', () => "'second_factor'"],
      ['expires_at', () => "'2099-01-01 00:00:00'"],
      ['seen_at', () => "'2099-01-01 00:00:00'"],
      ['confirmed_at', () => "'2099-01-01 00:00:00'"],
      ['address', () => "'192.0.2.1'"],
    ]
    for (const [column, value] of sessionColumns)
      it(`cannot use a session with another ${column}, and the service does not seal that value`, async () => {
        const id = sessionIn(eve.browser)
        const honest = await rowOf(SESSIONS, id)
        await set(SESSIONS, id, column, value())
        expect(await isIn(eve.browser)).to.equal(false)
        const cookie = eve.browser.cookies.get(COOKIE)?.replace('test.', '') ?? ''
        const { core } = await world.service.app.environment('test')
        const noted = core.write((work) => noteUse(work, cookie))
        expect(await rejection(noted)).to.be.instanceOf(NotAsSealed)
        await insert(SESSIONS, honest)
        expect(await isIn(eve.browser)).to.equal(true)
      })

    it('cannot turn their own session into that of another operator', async () => {
      const [own, id] = [sessionIn(eve.browser), sessionIn(ada)]
      const [row, victim] = [await rowOf(SESSIONS, own), await rowOf(SESSIONS, id)]
      const thief = world.browser()
      thief.cookies.set(COOKIE, (eve.browser.cookies.get(COOKIE) ?? '').replace(own, id))
      await insert(SESSIONS, { ...victim, secret_hash: row['secret_hash'] })
      expect(await isIn(thief)).to.equal(false)
      await insert(SESSIONS, victim)
      const added = 'sess_0000000000000000000000'
      await insert(SESSIONS, { ...row, id: added, operator_id: world.ada.test })
      thief.cookies.set(COOKIE, (eve.browser.cookies.get(COOKIE) ?? '').replace(own, added))
      expect(await isIn(thief)).to.equal(false)
      await remove(SESSIONS, added)
      expect(await isIn(ada)).to.equal(true)
    })

    it('cannot enter by a code that they extended, assigned to another operator, added or reset', async () => {
      const use = async (path: string) => {
        const browser = world.browser()
        return (await browser.submit(await browser.get(path))).status
      }
      const changes: readonly string[] = [
        `operator_id = '${world.ada.test}'`,
        'expires_at = 9999999999999',
        'used_at = null',
      ]
      for (const change of changes) {
        const path = await world.entry('test', EVE)
        const [entry] = (
          await stolenRows(world.place, ENTRIES, `operator_id = '${eve.id}' and used_at is null`)
        ).slice(-1)
        if (change.startsWith('used_at')) expect(await use(path)).to.equal(303)
        await asOutsider(world.place, `update ${ENTRIES} set ${change} where id = '${entry?.['id']}'`)
        if (change.startsWith('expires_at')) world.clock.ahead += 180_000
        expect(await use(path), change).to.equal(404)
        await remove(ENTRIES, String(entry?.['id']))
        await insert(ENTRIES, { ...entry, id: 'planted', operator_id: world.ada.test })
        expect(await use(path), `${change}, added`).to.equal(404)
        await remove(ENTRIES, 'planted')
      }
    })
  })
})
