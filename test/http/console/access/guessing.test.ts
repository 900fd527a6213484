import { expect } from 'chai'
import type { BrowserPage, ConsoleBrowser } from '../../../support/console-browser.js'
import { type ConsoleWorld, consoleWorld, EMAIL, PASSWORD } from '../../../support/console-world.js'
import { onDatabases } from '../../../support/databases.js'

const SIGN_IN = '/console/test/sign-in'
const CONFIRM = '/console/test/confirm'
const MINUTE = 60_000
const MOST = 5

onDatabases((open) => {
  describe('attempts to guess console secrets', () => {
    let world: ConsoleWorld
    let key: string
    before(async () => {
      world = await consoleWorld(open, { behindTls: true, limits: { signInRate: 0 } })
      key = await world.setUp(world.browser('192.0.2.1'))
    })
    beforeEach(() => {
      world.clock.ahead += 20 * MINUTE
    })
    const signIn = async (browser: ConsoleBrowser, fields: Readonly<Record<string, string>>) =>
      await browser.submit(await browser.get(SIGN_IN), { email: EMAIL, password: PASSWORD, ...fields })
    const signedIn = async (from: string) => {
      const browser = world.browser(from)
      expect((await signIn(browser, { code: world.code(key) })).status).to.equal(303)
      return browser
    }
    const attempts = async () => {
      const { core } = await world.service.app.environment('test')
      const now = world.clock.now()
      return await core.read(async ({ tx }) => {
        const rows = await tx.db.selectFrom('attempts').select('subject').where('until', '>', now).execute()
        return Map.groupBy(rows, ({ subject }) => subject)
      })
    }
    const statuses = (pages: readonly BrowserPage[]) => pages.map(({ status }) => status).toSorted()

    it('count fully for passwords tried at the same time', async () => {
      const guesser = world.browser('192.0.2.2')
      const form = await guesser.get(SIGN_IN)
      const guesses = Array.from({ length: 8 }, (_, n) => ({
        email: EMAIL,
        password: `guess number ${n}`,
        code: '',
      }))
      await Promise.all(guesses.map((fields) => guesser.submit(form, fields)))
      for (const [, counted] of await attempts()) expect(counted).to.have.length.at.most(MOST)
      expect((await signIn(guesser, { code: world.code(key) })).status).to.equal(400)
    })

    it('count for codes in a known browser, too, and fully when tried at the same time', async () => {
      const known = await signedIn('192.0.2.3')
      known.cookies.delete('__Host-payctl_console')
      const form = await known.get(SIGN_IN)
      const codes = Array.from({ length: 8 }, (_, n) => `00000${n}`)
      await Promise.all(codes.map((code) => known.submit(form, { email: EMAIL, password: PASSWORD, code })))
      world.clock.ahead += MINUTE
      expect((await signIn(known, { code: world.code(key) })).status).to.equal(400)
    })

    it('count fully for codes of a repeated confirmation tried at the same time', async () => {
      const browser = await signedIn('192.0.2.4')
      world.clock.ahead += 10 * MINUTE
      const form = await browser.get(CONFIRM)
      const codes = Array.from({ length: 8 }, (_, n) => `00000${n}`)
      const answers = await Promise.all(codes.map((code) => browser.submit(form, { code })))
      expect(new Set(statuses(answers))).to.deep.equal(new Set([400]))
      expect((await browser.submit(form, { code: world.code(key) })).status).to.equal(400)
    })

    it('fail with a code that was already used, at the same moment or on another page', async () => {
      const browsers = ['192.0.2.5', '192.0.2.6', '192.0.2.7'].map((from) => world.browser(from))
      const code = world.code(key)
      const answers = await Promise.all(browsers.map((browser) => signIn(browser, { code })))
      expect(statuses(answers)).to.deep.equal([303, 400, 400])
      const browser = await signedInLater()
      const form = await browser.get(CONFIRM)
      const shown = world.code(key)
      expect((await browser.submit(form, { code: shown })).status).to.equal(303)
      expect((await signIn(world.browser('192.0.2.8'), { code: shown })).status).to.equal(400)
    })

    it('by a stranger do not lock the owner out of known browsers or other addresses', async () => {
      const owner = await signedIn('192.0.2.9')
      owner.cookies.delete('__Host-payctl_console')
      const stranger = world.browser('192.0.2.10')
      for (let guess = 0; guess < MOST + 1; guess++) await signIn(stranger, { password: 'a wrong one' })
      world.clock.ahead += MINUTE
      expect((await signIn(owner, { code: world.code(key) })).status).to.equal(303)
      world.clock.ahead += MINUTE
      expect((await signIn(world.browser('192.0.2.11'), { code: world.code(key) })).status).to.equal(303)
    })

    async function signedInLater(): Promise<ConsoleBrowser> {
      world.clock.ahead += MINUTE
      const browser = await signedIn('192.0.2.12')
      world.clock.ahead += 10 * MINUTE
      return browser
    }
  })
})
