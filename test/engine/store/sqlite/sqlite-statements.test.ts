import BetterSqlite from 'better-sqlite3'
import { expect } from 'chai'
import { Business } from '../../../support/business.js'
import { idOf } from '../../../support/core.js'
import { onSqlite } from '../../../support/databases.js'
import { card, pay } from '../../../support/examples.js'

onSqlite((open) => {
  describe('a prepared statement of SQLite', () => {
    /** Every statement that a connection of this process prepares while the suite runs. */
    const texts = new Set<string>()
    const { prepare } = BetterSqlite.prototype
    before(() => {
      BetterSqlite.prototype.prepare = new Proxy(prepare, {
        apply(target, database, words: [text: string]) {
          texts.add(words[0])
          return Reflect.apply(target, database, words)
        },
      })
    })
    after(() => {
      BetterSqlite.prototype.prepare = prepare
    })

    it('hides its parameters from the planner, so that it is planned once', async () => {
      await journey()
      expect(texts.size).to.be.greaterThan(150)
      expect([...texts].filter((text) => /(?<!\+)\?/.test(withoutTexts(text)))).to.deep.equal([])
    })

    async function journey(): Promise<void> {
      const business = await Business.open(open)
      const { core } = business
      const account = await business.account()
      const named = idOf(await pay(core, account, 100))
      await core.ok('GET', `/transactions/${named}`)
      await core.ok('POST', '/transactions', { type: 'payment', amount: 5, payment_method: card() })
      await business.refund(named, 10)
      for (const path of [
        'transactions',
        'accounts',
        'payment_methods',
        'transaction_ledgers',
        'webhook_logs',
      ])
        await core.ok('GET', `/${path}`, undefined, { query: 'limit=5&order_by=-created_at' })
      await core.ok('GET', '/transactions', undefined, {
        query: 'amount=>=5&status=authorized&offset=1',
        count: true,
      })
      business.at('2030-01-17 17:00:00')
      await business.run()
      await core.ok('GET', '/admin/verify')
    }
  })
})

/** SQL without its quoted texts and names. */
function withoutTexts(text: string): string {
  return text.replaceAll(/'[^']*'|"[^"]*"/g, '')
}
