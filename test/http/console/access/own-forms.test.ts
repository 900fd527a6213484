import { expect } from 'chai'
import { CONSOLE_RESOURCES } from '../../../../src/http/console/records/console-resources.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { type BrowserPage, type ConsoleBrowser, formsOf, linksOf } from '../../../support/console-browser.js'
import { type ConsoleWorld, consoleWorld } from '../../../support/console-world.js'
import { idOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { card, processingAccount } from '../../../support/examples.js'

const TOKEN = 'form_token'
const MINUTE = 60_000
const SAME = { 'sec-fetch-site': 'same-origin' }
/** Maximum number of visited pages. One page of each kind is enough: other objects have the same forms. */
const MAX_PAGES = 300

onDatabases((open) => {
  describe('forms of the console', () => {
    let world: ConsoleWorld
    let browser: ConsoleBrowser
    let operator: JsonObject
    let pages: readonly BrowserPage[]
    before(async () => {
      world = await consoleWorld(open)
      const account = idOf(await world.ask('POST', '/processing_accounts', processingAccount('Main Street')))
      const payment = { type: 'payment', amount: 1, payment_method: card(), processing_id: account }
      await world.ask('POST', '/transactions', payment)
      await world.ask('POST', '/admin/keys', { description: 'till' })
      await world.ask('POST', '/payment_links', { processing_id: account, amount: 5 })
      browser = world.browser()
      await world.setUp(browser)
      pages = [
        await browser.get(await world.entry()),
        await world.browser().get('/console/test/sign-in'),
        ...(await walk(browser, '/console/test/')),
      ]
      world.clock.ahead += 10 * MINUTE
      pages = [...pages, await browser.get('/console/test/confirm')]
      operator = await world.ask('GET', `/admin/operators/${world.ada.test}`)
    })

    it('are all found by following the links of its pages', () => {
      const actions = new Set(
        pages.flatMap(formsOf).map(({ action }) => action.replace(/\/enter\/.*/, '/enter')),
      )
      expect([...actions]).to.include.members([
        '/console/enter',
        '/console/test/sign-in',
        '/console/test/sign-out',
        '/console/test/set-up',
        '/console/test/confirm',
      ])
    })

    it('each refuse a post without a token, or with a token of another session', async () => {
      const foreign = formsOf(await (await world.entered()).get('/console/test/')).at(-1)?.fields[TOKEN] ?? ''
      expect(foreign).to.not.equal('')
      const old = await oldToken()
      await eachForm(async (action, fields) => {
        const { [TOKEN]: good, ...rest } = fields
        expect(good, `${action} has a token`).to.be.a('string')
        for (const token of [undefined, '', 'guessed', foreign, old]) {
          const sent = token === undefined ? rest : { ...rest, [TOKEN]: token }
          expect((await browser.post(action, sent, SAME)).status, `${action} ${token}`).to.equal(403)
        }
      })
    })

    it('each refuse a post from a page of another site or origin', async () => {
      const strangers: readonly Readonly<Record<string, string>>[] = [
        {},
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': 'cross-site', origin: world.service.address },
        { origin: 'https://example.com' },
        { origin: 'null' },
      ]
      await eachForm(async (action, fields) => {
        for (const headers of strangers)
          expect(
            (await browser.post(action, fields, headers)).status,
            `${action} ${JSON.stringify(headers)}`,
          ).to.equal(403)
      })
    })

    it('are refused without a token at the address of every write, linked or not', async () => {
      const writes = CONSOLE_RESOURCES.flatMap((declared) => declared.writes ?? [])
      expect(writes).to.have.length.above(40)
      for (const { at } of writes) {
        const path = `/console/test/${at.map((part) => (part.startsWith(':') ? 'unknown' : part)).join('/')}`
        const fields = { 'write.step': 'do', 'write.key': 'req_guessed', amount: '1' }
        expect((await browser.post(path, fields)).status, path).to.equal(403)
        const elsewhere = { 'sec-fetch-site': 'cross-site' }
        expect((await browser.post(path, fields, elsewhere)).status, path).to.equal(403)
        const stranger = await world.browser().post(path, fields)
        expect(stranger, path).to.include({ status: 303, location: '/console/test/sign-in' })
      }
    })

    it('each refuse a body in another format', async () => {
      await eachForm(async (action, fields) => {
        for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x'])
          expect(
            (await browser.post(action, fields, { ...SAME, 'content-type': type })).status,
            `${action} ${type}`,
          ).to.be.oneOf([400, 415])
      })
    })

    it('are accepted from browsers that send their origin only', async () => {
      const entering = world.browser()
      const page = await entering.get(await world.entry())
      const [form] = formsOf(page)
      const answer = await entering.post(form?.action ?? '', form?.fields ?? {}, {
        origin: world.service.address,
      })
      expect(answer.status).to.equal(303)
    })

    it('have signed nobody out and changed no password through the refused posts', async () => {
      expect((await browser.get('/console/test/')).status).to.equal(200)
      expect(await world.ask('GET', `/admin/operators/${world.ada.test}`)).to.deep.equal(operator)
    })

    async function eachForm(
      check: (action: string, fields: Readonly<Record<string, string>>) => Promise<void>,
    ) {
      const forms = new Map(pages.flatMap(formsOf).map((form) => [form.action, form]))
      for (const { action, fields } of forms.values()) await check(action, fields)
    }

    /** The token of an ended session of this browser. */
    async function oldToken(): Promise<string> {
      const other = await world.entered()
      const token = formsOf(await other.get('/console/test/')).at(-1)?.fields[TOKEN] ?? ''
      await other.submit(await other.get('/console/test/'))
      return token
    }
  })
})

/** All pages linked from a first page, one for each pattern of address. */
async function walk(browser: ConsoleBrowser, start: string): Promise<BrowserPage[]> {
  const pages: BrowserPage[] = []
  const waiting = [start, `${start}set-up`]
  const shapes = new Set<string>()
  for (let next = waiting.shift(); next !== undefined && pages.length < MAX_PAGES; next = waiting.shift()) {
    const shape = next.replace(/[?].*/, '').replace(/\b[a-z]+_\w{22}\b/g, ':id')
    if (!next.startsWith(start) || shapes.has(shape)) continue
    shapes.add(shape)
    const page = await browser.get(next)
    pages.push(page)
    waiting.push(...linksOf(page))
  }
  return pages
}
