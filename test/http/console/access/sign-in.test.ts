import { expect } from 'chai'
import { hashPassword } from '../../../../src/domain/access/sign-in/password.js'
import { addAttempt, attemptHash } from '../../../../src/domain/attempts/attempts.js'
import { owner } from '../../../../src/engine/core/request/principal.js'
import type { Work } from '../../../../src/engine/core/write/work.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { resources } from '../../../../src/resources/resource-table.js'
import type { ConsoleBrowser } from '../../../support/console-browser.js'
import { type ConsoleWorld, consoleWorld, EMAIL, PASSWORD } from '../../../support/console-world.js'
import { onDatabases } from '../../../support/databases.js'
import { httpService } from '../../../support/http.js'

const SIGN_IN = '/console/test/sign-in'
const WRONG = 'not the password'
const MINUTE = 60_000

onDatabases((open) => {
  describe('console sign-in', () => {
    let world: ConsoleWorld
    let key: string
    before(async () => {
      world = await consoleWorld(open, { behindTls: true })
      key = await world.setUp(world.browser('192.0.2.1'))
    })
    const signIn = async (browser: ConsoleBrowser, fields: Readonly<Record<string, string>>) =>
      await browser.submit(await browser.get(SIGN_IN), { email: EMAIL, password: PASSWORD, ...fields })

    it('needs a password and a code, and leads to the requested page', async () => {
      world.clock.ahead += MINUTE
      const browser = world.browser('192.0.2.2')
      const page = await browser.get('/console/test/transactions?status=declined')
      expect(page.status).to.equal(303)
      const form = await browser.get(page.location)
      const signedIn = await browser.submit(form, {
        email: 'Ada@Example.com',
        password: PASSWORD,
        code: world.code(key),
      })
      expect(signedIn).to.include({ status: 303, location: '/console/test/transactions?status=declined' })
      expect((await browser.get('/console/test/')).text).to.contain('Ada Park')
      expect((await browser.get(SIGN_IN)).location).to.equal('/console/test/')
    })

    it('accepts no code twice, and no code older than the last accepted code', async () => {
      world.clock.ahead += 5 * MINUTE
      const code = world.code(key)
      expect((await signIn(world.browser('192.0.2.3'), { code })).status).to.equal(303)
      expect((await signIn(world.browser('192.0.2.3'), { code })).status).to.equal(400)
      expect((await signIn(world.browser('192.0.2.3'), { code: world.code(key, -1) })).status).to.equal(400)
    })

    it('accepts codes one step earlier or later, and no others', async () => {
      for (const [steps, status] of [
        [-2, 400],
        [-1, 303],
        [1, 303],
        [2, 400],
      ] as const) {
        world.clock.ahead += 20 * MINUTE
        const { status: answered } = await signIn(world.browser('192.0.2.4'), {
          code: world.code(key, steps),
        })
        expect(answered, `${steps} steps`).to.equal(status)
      }
    })

    it('answers alike for a wrong password, a wrong code and an unknown address', async () => {
      world.clock.ahead += 20 * MINUTE
      const browser = world.browser('192.0.2.5')
      const wrong = [
        await signIn(browser, { password: WRONG, code: world.code(key) }),
        await signIn(browser, { code: '000000' }),
        await signIn(browser, { email: 'eve@example.com', code: world.code(key) }),
      ]
      const answers = wrong.map(({ status, text }) => [status, /role="alert"><p>(.*?)<\/p>/.exec(text)?.[1]])
      expect(new Set(answers.map(String))).to.have.property('size', 1)
      expect(answers[0]?.[0]).to.equal(400)
      expect(browser.cookies.has('__Host-payctl_console')).to.equal(false)
    })

    it('refuses even the right proof after five wrong attempts from an address, but not from elsewhere', async () => {
      world.clock.ahead += 20 * MINUTE
      const guesser = world.browser('192.0.2.66')
      for (let guess = 0; guess < 5; guess++)
        expect((await signIn(guesser, { password: WRONG })).status).to.equal(400)
      expect((await signIn(guesser, { code: world.code(key) })).status).to.equal(400)
      expect((await signIn(world.browser('192.0.2.7'), { code: world.code(key) })).status).to.equal(303)
      world.clock.ahead += 15 * MINUTE
      expect((await signIn(guesser, { code: world.code(key) })).status).to.equal(303)
    })

    it('works in a known browser and by an entry code while strangers guess from everywhere', async () => {
      world.clock.ahead += 20 * MINUTE
      const known = world.browser('192.0.2.8')
      expect((await signIn(known, { code: world.code(key) })).status).to.equal(303)
      known.cookies.delete('__Host-payctl_console')
      await guessFromEverywhere()
      world.clock.ahead += MINUTE
      expect((await signIn(world.browser('192.0.2.9'), { code: world.code(key) })).status).to.equal(400)
      expect((await signIn(known, { code: world.code(key) })).status).to.equal(303)
      const browser = world.browser('192.0.2.10')
      expect((await browser.submit(await browser.get(await world.entry()))).status).to.equal(303)
      world.clock.ahead += 60 * MINUTE
      expect((await signIn(world.browser('192.0.2.9'), { code: world.code(key) })).status).to.equal(303)
    })

    it('behind TLS requires a second factor of operators with only a password', async () => {
      world.clock.ahead += 20 * MINUTE
      const plain = await consoleWorld(open)
      const browser = await plain.entered()
      const set = await browser.submit(await browser.get('/console/test/set-up'), {
        password: PASSWORD,
        code: '',
      })
      expect(set.status).to.equal(303)
      const other = plain.browser()
      const signedIn = await other.submit(await other.get(SIGN_IN), { email: EMAIL, password: PASSWORD })
      expect(signedIn).to.include({ status: 303, location: '/console/test/' })
      const strict = await consoleWorld(open, { behindTls: true })
      const { core } = await strict.service.app.environment('test')
      const hash = await hashPassword(PASSWORD, systemRandom)
      await core.write((work) => givePassword(work, strict.ada.test, hash))
      const refused = strict.browser('192.0.2.1')
      const answer = await refused.submit(await refused.get(SIGN_IN), { email: EMAIL, password: PASSWORD })
      expect(answer.status).to.equal(403)
      expect(answer.text).to.contain('requires a second factor')
      expect(answer.text).to.contain(`this command prints, and set one: payctl console --as ${EMAIL}<`)
    })

    it('shows the commands by which an operator without a password enters', async () => {
      for (const [environment, flag] of [
        ['test', ''],
        ['live', ' --env live'],
      ]) {
        const { text } = await world.browser('192.0.2.11').get(`/console/${environment}/sign-in`)
        expect(text).to.contain(`>payctl console${flag}</code>`)
        expect(text).to.contain(`>payctl console --as EMAIL${flag}</code>`)
      }
    })

    it('shows only the command that makes the first operator while there is none', async () => {
      const service = await httpService(await open.migrated(), {}, { console: true })
      open.atEnd(() => service.stop())
      const shown = async (environment: string) =>
        await (await fetch(`${service.address}/console/${environment}/`)).text()
      expect(await shown('test'))
        .to.contain('>payctl console</code>')
        .and.not.contain('<form')
      expect(await shown('live')).to.contain('>payctl console --env live</code>')
      const { core } = await service.app.environment('test')
      const body = { name: 'Ada Park', email: EMAIL, role: 'owner' }
      await core.handle({ method: 'POST', path: '/admin/operators', body, principal: owner })
      expect(await shown('test')).to.contain('<form')
      expect(await shown('live')).to.not.contain('<form')
    })

    it('is refused to disabled operators', async () => {
      world.clock.ahead += 20 * MINUTE
      const path = `/admin/operators/${world.ada.test}`
      await world.ask('PUT', path, { status: 'disabled' })
      expect((await signIn(world.browser('192.0.2.11'), { code: world.code(key) })).status).to.equal(400)
      await world.ask('PUT', path, { status: 'active' })
      expect((await signIn(world.browser('192.0.2.11'), { code: world.code(key) })).status).to.equal(303)
    })

    /** Stores as many wrong attempts as are allowed for all addresses together, without computing password hashes. */
    async function guessFromEverywhere(): Promise<void> {
      const { core } = await world.service.app.environment('test')
      await core.write((work) => countStrangers(work, world.ada.test, 99))
      expect((await signIn(world.browser('192.0.2.67'), { password: WRONG })).status).to.equal(400)
    }
  })
})

async function countStrangers(work: Work, id: string, attempts: number): Promise<void> {
  const operator = await work.find(resources.operator, id)
  const subject = attemptHash(work, 'operator', EMAIL, operator?.password_hash ?? null, 'strangers')
  for (let n = 0; n < attempts; n++)
    await addAttempt(work, { purpose: 'sign_in', subject, what: '' }, 60 * MINUTE)
}

async function givePassword(work: Work, id: string, hash: string): Promise<void> {
  await work.change(resources.operator, id, { password_hash: hash, has_password: 1 })
}
