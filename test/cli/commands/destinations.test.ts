import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { startServer } from '../../support/server-process.js'
import { payctl } from './payctl.js'

const CARD = ['--card', '4242424242424242', '--expiry', '12/39']
const PAY = ['transactions', 'pay', '--amount', '5', ...CARD]

onDatabases((open) => {
  describe('interface line 11: at the terminal, without a destination', () => {
    let core: TestCore
    let place: Place
    let first: string
    let second: string

    before(async () => {
      core = await openCore(open)
      place = core.place
      first = idOf(await core.ok('POST', '/processing_accounts', processingAccount('First')))
    })

    const refusal = (what: string) =>
      [
        `error: Missing ${what}: it could go to any of these accounts. To make one the default: payctl processing-accounts set-default ID`,
        `error: ${first} First`,
        `error: ${second} Second`,
        '',
      ].join('\n')

    it('a payment goes to the only account; with several, it is refused with their list', async () => {
      expect((await payctl(place, PAY)).exitCode).to.equal(0)
      second = idOf(await core.ok('POST', '/processing_accounts', processingAccount('Second')))
      const { exitCode, stdout, stderr } = await payctl(place, PAY)
      expect([exitCode, stdout]).to.deep.equal([2, ''])
      expect(stderr).to.include(refusal('--processing'))
      expect((await payctl(place, [...PAY, '--processing', second])).exitCode).to.equal(0)
    })

    it("a payment goes to the customer's primary account", async () => {
      const card = { type: 'card', card: { card_number: '4242424242424242', expiry: '12/39' } }
      const ada = { name: 'Ada', payment_methods: [{ ...card, default_payment_method: true }] }
      const settled = await core.ok('POST', '/customers', { ...ada, primary_processing_id: second })
      const pay = (id: string) => payctl(place, ['transactions', 'pay', '--amount', '5', '--customer', id])
      expect((await pay(idOf(settled))).exitCode).to.equal(0)
      expect((await pay(idOf(await core.ok('POST', '/customers', ada)))).exitCode).to.equal(2)
    })

    it('interface line 11: with a key that cannot list accounts, the error asks to name an account', async () => {
      const key = await core.ok('POST', '/admin/keys', { grants: { transactions: ['POST'] } })
      const server = await startServer(place)
      try {
        const variables = { PAYCTL_SERVER: server.address, PAYCTL_KEY: String(key.secret_key) }
        const there = (...words: string[]) => payctl(place, words, { variables })
        const refused = (what: string) =>
          `error: Missing ${what}: the key may not list processing accounts, so the payment has to say where it goes\n`
        const pay = await there(...PAY)
        expect([pay.exitCode, pay.stdout]).to.deep.equal([2, ''])
        expect(pay.stderr).to.include(refused('--processing'))
        const payer = await there('transactions', 'pay', '--amount', '5', '--customer', 'acct_1')
        expect(payer.stderr).to.equal(refused('--processing'))
        expect((await there(...PAY, '--processing', second)).exitCode).to.equal(0)
      } finally {
        await server.stop()
      }
    })

    it('a batch of payments is refused before any row is sent, until a default is set', async () => {
      const file = join(place.home, 'rent.csv')
      await writeFile(
        file,
        'amount,payment_method.type,payment_method.card.card_number,payment_method.card.expiry\n5,card,4242424242424242,12/39\n',
      )
      const run = () => payctl(place, ['batch', 'run', file, '--as', 'payment'])
      const refused = await run()
      expect(refused.exitCode).to.equal(2)
      expect(refused.stderr).to.include(refusal('a column processing_id'))
      const named = await payctl(place, ['processing-accounts', 'set-default', second])
      expect(named.exitCode).to.equal(0)
      expect((await run()).exitCode).to.equal(0)
      expect((await payctl(place, PAY)).exitCode).to.equal(0)
    })
  })
})
