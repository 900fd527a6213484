import { expect } from 'chai'
import { expectConfirmed } from '../../../../src/http/console/access/confirmation.js'
import type { ConsoleRequest } from '../../../../src/http/console/console-page.js'
import type { ConsoleBrowser } from '../../../support/console-browser.js'
import { type ConsoleWorld, consoleWorld, EMAIL, PASSWORD } from '../../../support/console-world.js'
import { onDatabases } from '../../../support/databases.js'

const CONFIRM = '/console/test/confirm?to=%2Fconsole%2Ftest%2Fsettings%2Fkeys%3Fadd%3D1'
const FORM = '/console/test/settings/keys?add=1'
const COOKIE = 'payctl_console'
const MINUTE = 60_000

onDatabases((open) => {
  describe('a repeated confirmation of identity', () => {
    let world: ConsoleWorld
    let browser: ConsoleBrowser
    let key: string
    before(async () => {
      world = await consoleWorld(open)
      browser = world.browser()
      key = await world.setUp(browser)
    })

    it('leads to its page and back to the form, and is valid for ten minutes', async () => {
      expect(expectConfirmed(await requestOf(true))).to.equal(undefined)
      expect(expectConfirmed(await requestOf(false))).to.deep.equal({ kind: 'see', address: CONFIRM })
      world.clock.ahead += 9 * MINUTE
      expect((await browser.get(CONFIRM)).location).to.equal(FORM)
      world.clock.ahead += MINUTE
      expect((await browser.get(CONFIRM)).status).to.equal(200)
    })

    it('is a code of the second factor, and gives the session a new secret', async () => {
      const page = await browser.get(CONFIRM)
      expect(page.text).to.contain('>payctl console --as EMAIL</code>')
      const before = browser.cookies.get(COOKIE) ?? ''
      expect((await browser.submit(page, { password: PASSWORD, code: '' })).status).to.equal(400)
      const code = world.code(key)
      expect(await browser.submit(page, { code })).to.include({ status: 303, location: FORM })
      const stolen = world.browser()
      stolen.cookies.set(COOKIE, before)
      expect((await stolen.get('/console/test/')).status).to.equal(303)
      expect((await browser.get('/console/test/')).status).to.equal(200)
      world.clock.ahead += 10 * MINUTE
    })

    it('is refused after five wrong attempts, even to someone with a stolen cookie', async () => {
      world.clock.ahead += 10 * MINUTE
      const page = await browser.get(CONFIRM)
      for (let guess = 0; guess < 5; guess++)
        expect((await browser.submit(page, { code: `00000${guess}` })).status).to.equal(400)
      expect((await browser.submit(page, { code: world.code(key) })).status).to.equal(400)
      world.clock.ahead += 15 * MINUTE
      expect((await browser.submit(page, { code: world.code(key) })).status).to.equal(303)
    })

    it('is the password of an operator without a second factor', async () => {
      const plain = await consoleWorld(open)
      const entered = await plain.entered()
      await entered.submit(await entered.get('/console/test/set-up'), { password: PASSWORD, code: '' })
      plain.clock.ahead += 10 * MINUTE
      expect((await entered.get('/console/test/set-up')).location).to.contain('/confirm')
      const page = await entered.get(CONFIRM)
      expect((await entered.submit(page, { password: 'not the password' })).status).to.equal(400)
      expect((await entered.submit(page, { password: PASSWORD })).location).to.equal(FORM)
    })

    it('is required by the forms of keys, gateways and operators, before display and when sent', async () => {
      const owner = world.browser()
      const ownKey = await world.setUp(owner)
      for (const path of ['keys/new', 'gateways/new', 'operators/new'].map(
        (name) => `/console/test/settings/${name}`,
      )) {
        const page = await owner.get(path)
        expect(page.status, path).to.equal(200)
        world.clock.ahead += 10 * MINUTE
        const lead = { status: 303, location: `/console/test/confirm?to=${encodeURIComponent(path)}` }
        expect(await owner.get(path), path).to.include(lead)
        expect(await owner.submit(page), path).to.include(lead)
        const confirmed = await owner.submit(await owner.get(lead.location), { code: world.code(ownKey) })
        expect(confirmed, path).to.include({ status: 303, location: path })
      }
    })

    it('is not required in test after an entry by a code of the terminal', async () => {
      const entered = await world.entered()
      world.clock.ahead += 25 * MINUTE
      expect((await entered.get(CONFIRM)).location).to.equal(FORM)
    })

    it('is only for operators with a session', async () => {
      expect((await world.browser().get(CONFIRM)).location).to.contain('/console/test/sign-in')
      const answer = await world.browser().post('/console/test/confirm', { email: EMAIL, password: PASSWORD })
      expect(answer.location).to.contain('/console/test/sign-in')
    })

    /** A request for the form by a visitor whose last confirmation is recent or not. */
    async function requestOf(isConfirmed: boolean): Promise<ConsoleRequest> {
      const { app } = world.service
      const { core } = await app.environment('test')
      return {
        visitor: {
          app,
          core,
          environment: 'test',
          principal: { kind: 'operator', id: world.ada.test, role: 'owner', manage: true },
          session: { id: 'sess_test', confirmedAt: 0, isConfirmed, proof: 'second_factor' },
          name: 'Ada Park',
          zone: 'UTC',
          formToken: '',
        },
        id: 'req_test',
        path: ['settings', 'keys'],
        query: [['add', '1']],
        ask: (method, path) =>
          core.handle({ method, path, principal: { kind: 'system', id: 'system', manage: true } }),
      }
    }
  })
})
