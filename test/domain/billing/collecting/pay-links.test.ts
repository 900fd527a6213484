import { expect } from 'chai'
import { remoteSimulator } from '../../../../src/gateways/simulator/remote-simulator.js'
import { idOf, type TestCore, valuesOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { card } from '../../../support/examples.js'
import type { Shop } from '../invoices.js'
import { advance, openBilling, paymentsOf, schedule } from '../schedules/schedules.js'

describe('the payment link of a declined automatic payment', () => {
  onDatabases((open) => {
    const paysBy = async (shop: Shop, number: string) =>
      idOf(
        await shop.core.ok('POST', '/payment_methods', {
          ...card(number),
          account_id: shop.customer,
          default_payment_method: true,
        }),
      )
    const linksOf = async (core: TestCore, payment: string) => {
      const query = { query: `failed_payment_id=${payment}` }
      return valuesOf(await core.ok('GET', '/payment_links', undefined, query))
    }

    it('is made even without a mail server, and is completed when the invoice is paid otherwise', async () => {
      const shop = await openBilling(open)
      const { core } = shop
      await schedule(shop, 'monthly')
      await paysBy(shop, '4111111111119904')
      await advance(core, '1d')
      const failures = await paymentsOf(shop, 'id,status')
      expect(failures.map(({ status }) => status)).to.deep.equal(['declined', 'declined'])
      const [failed = {}, again = {}] = failures
      expect(await linksOf(core, idOf(again))).to.have.lengthOf(1)
      const [link = {}, ...others] = await linksOf(core, idOf(failed))
      expect(others).to.deep.equal([])
      expect(link).to.include({ status: 'active', amount: 20, type: 'one_time' })
      expect(String(link.url)).to.include('/pay/')
      await paysBy(shop, '4242424242424242')
      await advance(core, '1d')
      const all = await paymentsOf(shop, 'id,status')
      expect(all.map(({ status }) => status)).to.deep.equal(['declined', 'declined', 'processed'])
      for (const one of failures)
        expect((await linksOf(core, idOf(one))).map(({ status }) => status)).to.deep.equal(['completed'])
    })

    it('is made when a remote gateway declines, and can be paid', async () => {
      const gateway = remoteSimulator()
      const shop = await openBilling(open, { gateway })
      const { core } = shop
      await schedule(shop, 'monthly')
      await paysBy(shop, '4111111111119904')
      await advance(core, '1d')
      const [failed = {}] = await paymentsOf(shop, 'id,status')
      expect(failed.status).to.equal('declined')
      const [link = {}] = await linksOf(core, idOf(failed))
      const paid = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 20,
        payment_link_id: idOf(link),
        payment_method: card('4242424242424242'),
      })
      expect(paid.status).to.equal('processed')
      expect((await linksOf(core, idOf(failed))).map(({ status }) => status)).to.deep.equal(['completed'])
    })
  })
})
