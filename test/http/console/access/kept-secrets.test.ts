import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openLog } from '../../../../src/http/api/log.js'
import { type ConsoleBrowser, formsOf, linksOf } from '../../../support/console-browser.js'
import { type ConsoleWorld, consoleWorld, EMAIL, keyIn, PASSWORD } from '../../../support/console-world.js'
import { onSqlite } from '../../../support/databases.js'

const COOKIE = 'payctl_console'
const NEW_KEY = '/console/test/settings/keys/new'
const SECRET_KEY = /test_secret_key_\w{43}/
const WRONG = 'wrong in all respects'

onSqlite((open) => {
  describe('secrets of the console', () => {
    const lines: string[] = []
    let world: ConsoleWorld
    let browser: ConsoleBrowser
    /** Values that were typed, shown once or set as a cookie, by name. */
    const secrets = new Map<string, string>()
    before(async () => {
      const logger = openLog('trace', { write: (line) => void lines.push(line) })
      world = await consoleWorld(open, { logger })
      browser = world.browser()
      const note = (name: string, secret: string | undefined) => {
        expect(secret, name).to.be.a('string').and.have.length.of.at.least(8)
        secrets.set(name, secret ?? '')
      }
      const noteSession = (name: string) => note(name, browser.cookies.get(COOKIE)?.split('.')[2])
      const entry = await world.entry()
      note('code of entry', entry.slice(-43))
      await browser.submit(await browser.get(entry))
      noteSession('session by a code')
      const setUp = await browser.get('/console/test/set-up')
      const key = keyIn(setUp)
      note('key of one-time codes', key)
      note('password', PASSWORD)
      note('wrong password', WRONG)
      note('token of a form', formsOf(setUp).at(-1)?.fields['form_token'])
      await browser.submit(setUp, { password: PASSWORD, code: world.code(key) })
      noteSession('session by set-up')
      await browser.submit(await browser.get('/console/test/'))
      world.clock.ahead += 60_000
      await browser.submit(await browser.get('/console/test/sign-in'), { email: EMAIL, password: WRONG })
      const proof = { email: EMAIL, password: PASSWORD, code: world.code(key) }
      await browser.submit(await browser.get('/console/test/sign-in'), proof)
      noteSession('session by a sign-in')
      world.clock.ahead += 11 * 60_000
      const confirm = await browser.get((await browser.get(NEW_KEY)).location)
      await browser.submit(confirm, { code: world.code(key) })
      noteSession('session after a new proof')
      const made = await makeKey()
      note('secret key', SECRET_KEY.exec(made)?.[0])
    })

    const makeKey = async () => {
      const previewed = await browser.submit(await browser.get(NEW_KEY), { description: 'till' })
      return (await browser.submit(previewed, { description: 'till', 'write.step': 'do' })).text
    }

    it('do not appear in the log or its addresses', () => {
      const text = lines.join('')
      expect(text).to.contain('/console/enter/').and.contain('/console/test/settings/keys/new')
      for (const [name, secret] of secrets) expect(text.includes(secret), name).to.equal(false)
    })

    it('do not appear in any file of the home', () => {
      const { home } = world.place
      const files = readdirSync(home).filter((name) => /\.db(-wal)?$/.test(name))
      expect(files).to.include('test.db')
      const contents = files.map((name) => readFileSync(join(home, name)))
      expect(contents.some((content) => content.includes(EMAIL))).to.equal(true)
      for (const [name, secret] of secrets)
        expect(
          contents.some((content) => content.includes(secret)),
          name,
        ).to.equal(false)
    })

    it('do not appear in any later page or address', async () => {
      const waiting = ['/console/test/']
      const seen = new Set<string>()
      for (let next = waiting.shift(); next !== undefined && seen.size < 80; next = waiting.shift()) {
        if (seen.has(next) || !next.startsWith('/console/test/') || /[?]|set-up/.test(next)) continue
        seen.add(next)
        const page = await browser.get(next)
        for (const [name, secret] of secrets)
          expect(`${next} ${page.text}`.includes(secret), `${name}: ${next}`).to.equal(false)
        waiting.push(...linksOf(page))
      }
      expect([...seen]).to.include.members(['/console/test/settings/keys', '/console/test/activity'])
    })
  })
})
