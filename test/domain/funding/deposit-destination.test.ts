import { expect } from 'chai'
import { Business } from '../../support/business.js'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, makeCustomer, pay } from '../../support/examples.js'
import { asOutsider } from '../../support/outsider.js'

describe('a deposit whose destination was changed outside of payctl', () => {
  onDatabases((open) => {
    let business: Business
    let account: string
    let first: string
    let second: string
    let stranger: string

    beforeEach(async () => {
      business = await Business.open(open)
      const { core } = business
      account = await business.account()
      first = await onlyMethod(account)
      second = idOf(
        await core.ok('POST', '/payment_methods', { ...bankAccount('555666777'), account_id: account }),
      )
      stranger = await onlyMethod(await business.account())
      await pay(core, account, 10)
      business.at('2030-01-16 12:00:00')
    })

    const onlyMethod = async (id: string) => {
      const query = `account_id=${id}`
      const [method] = valuesOf(await business.core.ok('GET', '/payment_methods', undefined, { query }))
      return idOf(method ?? {})
    }
    const thieves = (...statements: string[]) => asOutsider(business.core.place, ...statements)
    const destinations = async () =>
      (await business.all(account, 'deposit')).map(({ payment_method_id: id }) => id)
    const problem = async () => {
      const query = 'fields=processing[deposits_problem]'
      return JSON.stringify(
        await business.core.ok('GET', `/processing_accounts/${account}`, undefined, { query }),
      )
    }
    /** Expects no deposit while rows differ from their seals, and one to `destination` after their restoration. */
    const expectWaiting = async (restore: readonly string[], destination: () => string) => {
      const other = await business.account()
      await pay(business.core, other, 7)
      business.at('2030-01-17 12:00:00')
      await business.run()
      expect(await destinations()).to.deep.equal([])
      expect(await business.all(other, 'deposit'), 'others are paid').to.have.length(1)
      expect(await problem()).to.include('something other than payctl')
      const status = JSON.stringify(await business.core.ok('GET', '/admin/status'))
      expect(status).to.include(account)
      await thieves(...restore)
      await business.run()
      expect(await destinations()).to.deep.equal([destination()])
      expect(await problem()).to.not.include('something other than payctl')
    }

    it('waits if a bank account of another owner was moved to the account', async () => {
      await thieves(
        `update payment_methods set account_id = '${account}', default_payment_method = 1 where id = '${stranger}'`,
      )
      await business.run()
      expect(await destinations()).to.deep.equal([])
      expect(await problem()).to.include(stranger)
    })

    it('waits if another of its bank accounts was made the default', async () => {
      await thieves(`update payment_methods set default_payment_method = 1 where id = '${second}'`)
      await expectWaiting(
        [`update payment_methods set default_payment_method = null where id = '${second}'`],
        () => first,
      )
    })

    it('waits if the right bank account was removed', async () => {
      await thieves(`update payment_methods set deleted_at = '2030-01-15 00:00:00' where id = '${first}'`)
      await expectWaiting([`update payment_methods set deleted_at = null where id = '${first}'`], () => first)
    })

    it('waits if a removed bank account was restored', async () => {
      await business.core.ok('DELETE', `/payment_methods/${first}`)
      await thieves(`update payment_methods set deleted_at = null where id = '${first}'`)
      await business.run()
      expect(await destinations()).to.deep.equal([])
      expect(await problem()).to.include(first)
    })

    it('is protected like a credit, which is refused for a bank account of another owner', async () => {
      const { core } = business
      const customer = await makeCustomer(core, account)
      const body = { ...bankAccount('111222333'), account_id: customer, default_payment_method: true }
      const own = idOf(await core.ok('POST', '/payment_methods', body))
      await thieves(
        `update payment_methods set default_payment_method = null where id = '${own}'`,
        `update payment_methods set account_id = '${customer}', default_payment_method = 1 where id = '${stranger}'`,
      )
      const credit = { type: 'credit', amount: 5, processing_id: account, customer_id: customer }
      const { status, body: refused } = await core.send('POST', '/transactions', credit)
      expect(status).to.equal(400)
      expect(JSON.stringify(refused.details)).to.include(stranger)
    })

    it("goes to the account's bank account if all rows match their seals", async () => {
      await business.core.ok('PUT', `/payment_methods/${second}`, { default_payment_method: true })
      await business.run()
      expect(await destinations()).to.deep.equal([second])
      await business.core.ok('DELETE', `/payment_methods/${second}`)
      await pay(business.core, account, 10)
      business.at('2030-01-17 12:00:00')
      await business.run()
      expect(await destinations()).to.deep.equal([second, first])
    })
  })
})
