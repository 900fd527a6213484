import { expect } from 'chai'
import { openFolder } from '../../support/batch-file.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('a typed date', () => {
    let place: Place
    before(async () => {
      place = await open.place()
    })

    it('is refused if the year is last, with both readings if the date has two', async () => {
      for (const [date, readings] of [
        ['02/03/2030', '; it may be 2030-03-02 or 2030-02-03'],
        ['31/01/2030', ''],
        ['1.2.2030 14:00', '; it may be 2030-02-01 or 2030-01-02'],
      ] as const)
        for (const words of [
          ['invoices', 'create', '--customer-id', 'acct_1', '--due-date', date],
          ['invoices', 'list', '--where', `due_date=>=${date}`],
          ['invoices', 'list', '--due-before', date],
          ['keys', 'create', '--expires-at', date],
          ['clock', 'set', date],
        ]) {
          const { exitCode, stderr } = await payctl(place, words)
          const said = `Expected a date such as 2030-01-31, but received: ${date}${readings}`
          expect([words, exitCode, stderr.includes(said)], stderr).to.deep.equal([words, 2, true])
        }
    })

    it('stays in data as client libraries send it', async () => {
      const folder = openFolder()
      open.atEnd(async () => folder.remove())
      const customer = await payctl(place, ['customers', 'create', '--name', 'Ada', '--jq', '.id'])
      const body = { customer_id: customer.stdout.trim(), due_date: '2/3/2030' }
      const data = folder.write('invoice.json', JSON.stringify(body))
      const made = await payctl(place, ['invoices', 'create', '--data', data, '--jq', '.due_date'])
      expect(made.stdout).to.equal('2030-02-03\n')
    })
  })
})
