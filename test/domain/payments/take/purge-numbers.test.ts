import { expect } from 'chai'
import type { JsonObject } from '../../../../src/schema/json.js'
import { idOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { bankAccount, card } from '../../../support/examples.js'
import { LiveShop } from '../../settlements/live-shop.js'

const DAY = 24
const YEAR = 400 * DAY

describe('purging card numbers', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let account: string
    before(async () => {
      shop = await LiveShop.open(open)
      account = await shop.account(null)
    })
    afterEach(async () => expect(await shop.findings()).to.deep.equal([]))

    const purge = async (body: JsonObject = { older_than: '400d' }) =>
      await shop.ok('POST', '/admin/vault/purge', body)
    const NOTHING = { dropped: 0, used: 0, pending: 0, without_token: 0, routed_elsewhere: 0 }
    const payer = async (more: JsonObject = {}) => {
      const customer_id = await shop.customer({ ...card(), default_payment_method: true })
      await shop.charge(account, customer_id, 10, more)
      return customer_id
    }
    const later = async (hours: number) => {
      shop.time.now += hours * 3_600_000
    }

    it('deletes only numbers with a token that were unused for the given time', async () => {
      const unused = await payer()
      const used = await payer()
      const held = await payer({ status: 'authorized' })
      const untaken = await shop.customer(card())
      const bank = await shop.ok('POST', '/payment_methods', bankAccount())
      expect(await purge()).to.include(NOTHING)
      await later(YEAR - 1)
      await shop.charge(account, used, 11)
      await later(2)
      const recent = await payer()
      const expected = { ...NOTHING, dropped: 1, used: 1, pending: 1, without_token: 3 }
      const dry = await shop.send('POST', '/admin/vault/purge', { older_than: '400d' }, '', { dryRun: true })
      expect(dry.body).to.include(expected)
      expect(await shop.numbersOf(unused)).to.not.include(null)
      expect(await purge()).to.include({ ...expected, object: 'vault_purge' })
      expect(await shop.numbersOf(unused)).to.deep.equal([null])
      for (const kept of [used, held, untaken, recent])
        expect(await shop.numbersOf(kept)).to.not.include(null)
      expect(await shop.ok('GET', `/payment_methods/${idOf(bank)}`)).to.nested.include({
        'bank_account.account_number': 'xxxxxx7890',
      })
      expect(await shop.read(await shop.charge(account, unused, 12))).to.include({ status: 'processed' })
      expect(await purge()).to.include({ ...expected, dropped: 0 })
    })

    it('keeps numbers that a payment may need at another gateway or merchant', async () => {
      const customer = await payer()
      await later(YEAR + 1)
      const other = await shop.account(null)
      const route = { processing_id: other, card: 'cards' }
      await shop.ok('PUT', '/admin/gateway_routes', { ...route, merchant: 'acct_theirs' })
      expect(await purge()).to.include({ dropped: 0 })
      expect(await shop.numbersOf(customer)).to.not.include(null)
      await shop.ok('PUT', '/admin/gateway_routes', { ...route, card: null })
      expect((await purge()).dropped).to.be.above(0)
      expect(await shop.numbersOf(customer)).to.deep.equal([null])
    })

    it('requires a valid age', async () => {
      const missing = (await shop.send('POST', '/admin/vault/purge', {})).body
      expect(missing).to.deep.include({ details: { older_than: 'Required' } })
      for (const [older_than, problem] of [
        ['400', 'Must be a duration, such as 400d, 13mo or 2y'],
        ['0d', 'Must be a duration, such as 400d, 13mo or 2y'],
        ['999999y', 'Must be a duration, such as 400d, 13mo or 2y'],
      ] as const)
        expect((await shop.send('POST', '/admin/vault/purge', { older_than })).body).to.deep.include({
          details: { older_than: problem },
        })
    })
  })
})
