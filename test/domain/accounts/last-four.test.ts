import { expect } from 'chai'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card, makeProcessing, pay } from '../../support/examples.js'

describe('the last four digits of a payment method', () => {
  onDatabases((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })
    const found = async (path: string, query: string) =>
      valuesOf(await core.ok('GET', path, undefined, { query })).map(idOf)

    it('find the method and the transactions that it paid', async () => {
      const shop = await makeProcessing(core)
      const visa = await pay(core, shop, 31.5)
      const other = await pay(core, shop, 31.5, { payment_method: card('4000056655665556') })
      const bank = idOf(await core.ok('POST', '/payment_methods', bankAccount('000123456789')))
      expect(await found('/transactions', 'payment_method[last_four]=4242')).to.deep.equal([idOf(visa)])
      expect(await found('/transactions', 'payment_method[last_four]=5556')).to.deep.equal([idOf(other)])
      expect(await found('/payment_methods', 'last_four=6789')).to.deep.equal([bank])
      expect(await found('/payment_methods', 'last_four=?67*')).to.deep.equal([bank])
    })

    it('show the same digits as the mask, and only on request', async () => {
      const id = idOf(await core.ok('POST', '/payment_methods', bankAccount('1234')))
      expect(await core.ok('GET', `/payment_methods/${id}`)).not.to.have.property('last_four')
      const query = 'fields=last_four,bank_account[account_number]'
      expect(await core.ok('GET', `/payment_methods/${id}`, undefined, { query })).to.deep.equal({
        last_four: '34',
        bank_account: { account_number: 'xx34' },
      })
      expect(await found('/payment_methods', 'last_four=1234')).to.deep.equal([])
      const refused = await core.send('PUT', `/payment_methods/${id}`, { last_four: '1234' })
      expect(refused.body.details).to.deep.equal({ last_four: 'Read only' })
    })
  })
})
