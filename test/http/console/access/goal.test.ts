import { expect } from 'chai'
import { type ConsoleWorld, consoleWorld, EMAIL, PASSWORD } from '../../../support/console-world.js'
import { onSqlite } from '../../../support/databases.js'

/** Addresses that must not be opened after a sign-in. */
const FOREIGN = [
  'https://example.com/',
  '//example.com/',
  '/\\example.com',
  '\\\\example.com',
  'javascript:alert(1)',
  '/console/test/\\example.com',
  '/console/test//example.com',
  '/console/test/../../oauth/authorize',
  '/console/test/%2e%2e/%2e%2e/oauth/authorize',
  '/console/live/transactions',
  '/console/test',
  '/console/enter/test_console_entry_x',
  '/console/test/sign-in?to=/console/test/sign-in',
  '/console/test/sign-out',
  '/transactions',
  '/console/test/\ttransactions',
  '/console/test/\nlocation: https://example.com',
  `/console/test/${'a'.repeat(3_000)}`,
]

onSqlite((open) => {
  describe('the page after a sign-in', () => {
    let world: ConsoleWorld
    before(async () => {
      world = await consoleWorld(open)
    })

    it('is the home page if the requested page does not belong to this console', async () => {
      for (const goal of FOREIGN) {
        const browser = world.browser()
        const page = await browser.get(`${await world.entry()}?to=${encodeURIComponent(goal)}`)
        expect((await browser.submit(page)).location, goal).to.equal('/console/test/')
        const again = await browser.get(`/console/test/sign-in?to=${encodeURIComponent(goal)}`)
        expect(again.location, goal).to.equal('/console/test/')
      }
    })

    it('keeps path and query of a requested page of this console', async () => {
      for (const goal of [
        '/console/test/transactions?status=declined&amount=%3E100',
        '/console/test/settings/keys',
      ]) {
        const browser = await world.entered()
        const page = await browser.get(`/console/test/sign-in?to=${encodeURIComponent(goal)}`)
        expect(page.location).to.equal(goal)
      }
    })

    it('is the home page after a form that was sent without a session', async () => {
      const answer = await world
        .browser()
        .post('/console/test/transactions/txn_x/refund', { email: EMAIL, password: PASSWORD })
      expect(answer.location).to.equal('/console/test/sign-in')
    })
  })
})
