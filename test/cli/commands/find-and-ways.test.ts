import { expect } from 'chai'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('an operator who looks for a transaction or is refused', () => {
    let core: TestCore
    let processing: string
    const run = async (...words: string[]) => await payctl(core.place, words)
    const found = async (...words: string[]): Promise<unknown[]> => {
      const { stdout, stderr } = await run('transactions', 'find', ...words, '-o', 'csv', '--columns', 'id')
      expect(stderr).to.match(/^(Nothing found\.\n)?$/)
      return stdout.trim().split('\n').slice(1)
    }

    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
    })

    it('finds it by amount, last four digits, day, name and order number, in any order', async () => {
      const customer_id = await makeCustomer(core, processing, 'Grace Hopper')
      const id = idOf(await pay(core, processing, 31.5, { customer_id, order_number: '1001-B' }))
      const other = idOf(await pay(core, processing, 31.5, { payment_method: card('5555 5555 5555 4444') }))
      expect(await found('31.50', '4242')).to.deep.equal([id])
      expect(await found('4444', '$31.50', 'today')).to.deep.equal([other])
      expect(await found('hopper', '31.5')).to.deep.equal([id])
      expect(await found('1001')).to.deep.equal([id])
      expect(await found(id)).to.deep.equal([id])
      expect(await found('31.50', 'yesterday')).to.deep.equal([])
      expect(await found('31.50')).to.have.members([id, other])
      expect((await run('transactions', 'find')).stderr).to.equal(
        'error: What is known of it? payctl transactions find 31.50 4242 yesterday\n',
      )
    })

    it('reads how to reverse a wrong refund', async () => {
      const payment = await pay(core, processing, 20)
      const ledger = [{ assoc_transaction_id: idOf(payment) }]
      const refund = idOf(await core.ok('POST', '/transactions', { type: 'refund', amount: 7.5, ledger }))
      const { exitCode, stderr } = await run('transactions', 'void', refund)
      expect(exitCode).to.equal(3)
      expect(stderr).to.match(
        /take the money again: payctl transactions pay --payment-method pm_\w+ --amount 7\.50\n$/,
      )
    })

    it('sees the command that completes a merchant, after create and in a refusal', async () => {
      const made = await run('processing-accounts', 'create', '--name', 'Bike Shop')
      const [, id = ''] =
        /^It cannot take payments yet\. Complete it: payctl processing-accounts complete (acct_\w+)\n$/.exec(
          made.stderr,
        ) ?? []
      const refused = await payctl(
        core.place,
        ['transactions', 'pay', '--amount', '5', '--card', '-', '--expiry', '12/39', '--processing', id],
        { input: '4242424242424242\n' },
      )
      expect(refused.exitCode).to.equal(3)
      expect(refused.stderr).to.include(`\nComplete it: payctl processing-accounts complete ${id}\n`)
      const asked = await run('processing-accounts', 'complete', id)
      expect(asked).to.include({ exitCode: 2, stdout: '' })
      expect(asked.stderr).to.include(`${id} lacks: legal entity, owner, bank account.`)
    })

    it('is prompted for a missing object, with an example and the command that lists such objects', async () => {
      expect(await run('invoices', 'get')).to.deep.equal({
        exitCode: 2,
        stdout: '',
        stderr: 'error: Which invoice? payctl invoices get inv_0V8c…; payctl invoices list shows them\n',
      })
      expect((await run('invoices', 'pay')).stderr).to.equal(
        "error: Which invoice? payctl invoices pay inv_…; payctl invoices list --where 'status=pending|overdue|partially_paid' shows them\n",
      )
      expect((await run('keys', 'revoke')).stderr).to.match(
        /^error: Which key\? payctl keys revoke key_0V8c…; /,
      )
    })

    it('sees a birth date as a day without a time', async () => {
      const refused = await payctl(
        core.place,
        [
          'legal-entity-owners',
          'create',
          '--legal-entity-id',
          'le_1',
          '--full-name',
          'Grace Park',
          '--title',
          'Owner',
          '--ownership',
          '100',
          '--birth-date',
          '31 January',
          '--ssn',
          '-',
          '--street-address',
          '1 Main',
          '--city',
          'Albany',
          '--state-province',
          'NY',
          '--postal-code',
          '94103',
          '--phone-number',
          '4155550100',
          '--email',
          'ada@example.com',
        ],
        { input: '123456789\n' },
      )
      expect(refused.stderr).to.include('error: --birth-date: Must be valid date, YYYY-MM-DD\n')
    })

    it('can keep a rotated key for at most 30 days', async () => {
      const made = await run('keys', 'create', '--json')
      const id = idOf(JSON.parse(made.stdout))
      expect((await run('keys', 'rotate', id, '--overlap', '31d')).exitCode).to.equal(3)
      expect((await run('keys', 'rotate', id, '--overlap', '7x')).exitCode).to.equal(2)
      expect((await run('keys', 'rotate', id, '--overlap', '30d')).exitCode).to.equal(0)
    })
  })
})
