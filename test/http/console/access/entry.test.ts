import { expect } from 'chai'
import { type ConsoleWorld, consoleWorld, keyIn, PASSWORD } from '../../../support/console-world.js'
import { onDatabases } from '../../../support/databases.js'

const HOME = '/console/test/'

onDatabases((open) => {
  describe('console entry by a code', () => {
    let world: ConsoleWorld
    before(async () => {
      world = await consoleWorld(open)
    })

    it('shows a button, so that link previews do not use up the code', async () => {
      const path = await world.entry()
      const preview = world.browser()
      expect(await preview.get(path, 'HEAD')).to.include({ status: 200, text: '' })
      expect((await preview.get(path)).text).to.contain('<button')
      const browser = world.browser()
      const entered = await browser.submit(await browser.get(path))
      expect(entered).to.include({ status: 303, location: HOME })
      expect((await browser.get(HOME)).text).to.contain('Ada Park')
    })

    it('works for one of two browsers that use a code at once, and not again later', async () => {
      const path = await world.entry()
      const browsers = [world.browser(), world.browser()]
      const pages = await Promise.all(browsers.map((browser) => browser.get(path)))
      const uses = await Promise.all(browsers.map((browser, n) => browser.submit(pages[n] ?? never())))
      expect(uses.map(({ status }) => status).toSorted()).to.deep.equal([303, 404])
      const late = world.browser()
      const used = await late.submit(await late.get(path))
      expect(used.status).to.equal(404)
      expect(used.text).to.contain('used already')
      expect(used.text).to.contain('>payctl console</code>').and.contain('>payctl console --as EMAIL</code>')
      expect(late.cookies.has('payctl_console')).to.equal(false)
    })

    it('ends after two minutes, and does not reveal which codes exist', async () => {
      const path = await world.entry()
      world.clock.ahead += 120_000
      const browser = world.browser()
      const late = await browser.submit(await browser.get(path))
      const guessed = `/console/enter/test_console_entry_${'A'.repeat(43)}`
      const unknown = await browser.submit(await browser.get(guessed))
      expect([late.status, unknown.status]).to.deep.equal([404, 404])
      expect(late.text).to.equal(unknown.text).and.contain('>payctl console --as EMAIL</code>')
      expect((await browser.get('/console/enter/guessed')).status).to.equal(404)
    })

    it('counts guessed codes by address', async () => {
      const { service } = await limited()
      const browser = service.browser()
      const path = `/console/enter/test_console_entry_${'A'.repeat(43)}`
      const page = await browser.get(path)
      const statuses = []
      for (let guess = 0; guess < 4; guess++) statuses.push((await browser.submit(page)).status)
      expect(statuses).to.deep.equal([404, 404, 429, 429])
    })

    it('leads to the console page that the address names', async () => {
      const browser = world.browser()
      const page = await browser.get(`${await world.entry()}?to=/console/test/transactions?status=declined`)
      const entered = await browser.submit(page)
      expect(entered.location).to.equal('/console/test/transactions?status=declined')
    })

    it('in live is only enough to set a password and a second factor', async () => {
      const browser = await world.entered('live')
      const first = await browser.get('/console/live/transactions')
      expect(first.location).to.equal('/console/live/set-up?to=%2Fconsole%2Flive%2Ftransactions')
      const page = await browser.get(first.location)
      const short = await browser.submit(page, { password: 'short', code: world.code(keyIn(page)) })
      expect(short).to.include({ status: 400 })
      const wrong = await browser.submit(page, { password: PASSWORD, code: '000000' })
      expect(wrong).to.include({ status: 400 })
      const empty = await browser.submit(page, { password: PASSWORD, code: '' })
      expect(empty).to.include({ status: 400 })
      const before = browser.cookies.get('payctl_console')
      const set = await browser.submit(wrong, { password: PASSWORD, code: world.code(keyIn(wrong)) })
      expect(set).to.include({ status: 303, location: '/console/live/transactions' })
      expect(browser.cookies.get('payctl_console')).to.not.equal(before)
      expect((await browser.get('/console/live/')).text).to.contain('Ada Park')
      const operator = await world.ask('GET', `/admin/operators/${world.ada.live}`, undefined, 'live')
      expect(operator).to.include({ has_password: true, has_second_factor: true })
    })

    async function limited() {
      const service = await consoleWorld(open, { limits: { signInRate: 2 } })
      return { service }
    }
  })
})

function never(): never {
  throw new Error('There is no such page')
}
