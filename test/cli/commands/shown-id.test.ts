import { expect } from 'chai'
import { idOf, objectOf, openCore } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { makeCustomer, makeProcessing, pay } from '../../support/examples.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('an id that a list shortens', () => {
    let place: Place
    let customer: string
    let payment: string
    before(async () => {
      const core = await openCore(open)
      place = core.place
      const shop = await makeProcessing(core)
      customer = await makeCustomer(core, shop)
      payment = idOf(await pay(core, shop, 10, { customer_id: customer }))
      for (let n = 0; n < 40; n++) await makeCustomer(core, shop)
    })
    const shown = (id: string, dots = '…') => `${id.slice(0, id.lastIndexOf('_') + 1)}${dots}${id.slice(-4)}`
    const run = (...words: string[]) => payctl(place, [...words, '--json'])
    const answered = async (...words: string[]) => {
      const { stdout, stderr, exitCode } = await run(...words)
      expect([exitCode, stderr]).to.deep.equal([0, ''])
      return objectOf(JSON.parse(stdout))
    }

    it('is accepted as an argument, in a path, in a flag and in a filter', async () => {
      for (const dots of ['…', '...']) {
        expect(idOf(await answered('accounts', 'get', shown(customer, dots)))).to.equal(customer)
        expect(idOf(await answered('customers', 'get', shown(customer, dots)))).to.equal(customer)
      }
      expect(idOf(await answered('transactions', 'get', shown(payment)))).to.equal(payment)
      expect(idOf(await answered('api', 'get', `/transactions/${shown(payment)}`))).to.equal(payment)
      const client = idOf(await answered('access-tokens', 'create'))
      expect(shown(client)).to.match(/^test_client_key_…/)
      expect(idOf(await answered('access-tokens', 'get', shown(client)))).to.equal(client)
      const made = await answered('payment-activations', 'create', '--customer-id', shown(customer))
      expect(made.customer_id).to.equal(customer)
      const listed = await answered('transactions', 'list', '--where', `customer_id=${shown(customer)}`)
      expect(listed.values).to.have.length(1)
      const refund = await answered('transactions', 'refund', shown(payment), '--amount', '4', '--yes')
      expect(refund).to.include({ type: 'refund', amount: 4 })
    })

    it('is refused with all matches if it matches several ids, and not found without a match', async () => {
      const { exitCode, stderr } = await run('customers', 'get', 'acct_…')
      expect(exitCode).to.equal(2)
      expect(stderr).to.match(/acct_… fits 41 ids: acct_\w{22}, .*, and 21 more/)
      const none = await run('customers', 'get', 'acct_…zZzZ')
      expect(none.exitCode).to.equal(5)
      expect((await run('customers', 'get', 'acct_…0zZ0zZ')).exitCode).to.equal(5)
    })
  })
})
