import { expect } from 'chai'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

describe('foreign charges at a sandbox account of the gateway', () => {
  onDatabases((open) => {
    for (const payouts of ['gateway', null] as const)
      it(`with payouts ${payouts ?? 'of the funding run'}, add no fees to our books`, async () => {
        const shop = await LiveShop.open(open, undefined, 'test')
        const account = await shop.account(payouts)
        await shop.pay(account, 20)
        const { id } = shop.server.books.createMethod(new Map([['type', 'card']]))
        shop.server.books.createIntent(
          new Map([
            ['payment_method', id],
            ['allowed_payment_method_types[0]', 'card'],
            ['amount', '100000'],
          ]),
        )
        await shop.settle()
        await shop.wait(48)
        expect(await shop.list('/admin/settlement_lines', 'kind=foreign')).to.have.length(1)
        expect((await shop.books()).processor_cost).to.equal(-88)
        expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing')
        expect(await shop.list('/admin/exceptions')).to.deep.equal([])
        expect(await shop.findings()).to.deep.equal([])
      })
  })
})
