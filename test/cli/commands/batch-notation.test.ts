import { expect } from 'chai'
import { type Folder, openFolder } from '../../support/batch-file.js'
import { idOf, listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type BatchCommands, batchCommands } from './batch-commands.js'

const CARD = '4111111111111111'

onDatabases((open) => {
  describe('the number and date formats of a file', () => {
    let place: Place
    let folder: Folder
    let customer: string
    before(async () => {
      place = await open.place()
      folder = openFolder()
      open.atEnd(async () => folder.remove())
      const account = folder.write('account.json', JSON.stringify(processingAccount()))
      await json('processing-accounts', 'create', '--data', account)
      customer = idOf(await json('customers', 'create', '--name', 'Ada'))
    })

    const commands = () => batchCommands(place, folder)
    const run: BatchCommands['run'] = (...words) => commands().run(...words)
    const json: BatchCommands['json'] = (...words) => commands().json(...words)
    const amounts: BatchCommands['amounts'] = (query) => commands().amounts(query)

    const pay = async (name: string, texts: readonly string[], ...words: string[]) => {
      const rows = texts.map((text) => `${text};${CARD};12/79;${name}`)
      folder.write(`${name}.csv`, ['amount;card;expiry;order_number', ...rows, ''].join('\n'))
      const ran = await run(`${name}.csv`, 'payment', '--batch-id', `${name} ${words.join(' ')}`, ...words)
      return { ...ran, paid: await amounts(`order_number=${name}`) }
    }

    it('include one decimal mark for a whole column', async () => {
      const comma = await pay('comma', ['7,50', '1.250,00', '3'])
      expect([comma.exitCode, comma.paid]).to.deep.equal([0, [3, 7.5, 1250]])
      expect(comma.stderr).to.contain('numbers have a decimal comma, as 7,50 in row 2')
      const point = await pay('point', ['7.50', '"1,250"', '3'])
      expect([point.exitCode, point.paid]).to.deep.equal([0, [3, 7.5, 1250]])
    })

    const doubtful: readonly (readonly [what: string, texts: readonly string[], said: string])[] = [
      [
        'thousands or thousandths beside decimals',
        ['5,000', '7,50'],
        'amount: 5,000 in row 2 is 5000 with --decimal . and 5.000 with --decimal ,; 7,50 in row 3 has its decimals behind a comma',
      ],
      [
        'only thousands or thousandths',
        ['5.000', '1.250'],
        'amount: 5.000 in row 2 is 5.000 with --decimal . and 5000 with --decimal ,; which is meant?',
      ],
      [
        'two decimal marks',
        ['5.50', '7,50'],
        'amount: 7,50 in row 3 has a decimal comma, and 5.50 in row 2 a decimal point; --decimal , reads the one, --decimal . the other',
      ],
    ]
    for (const [what, texts, said] of doubtful)
      it(`are refused with both readings if amounts have ${what}`, async () => {
        const { exitCode, stderr, paid } = await pay(what, texts)
        expect([exitCode, stderr, paid]).to.deep.equal([3, `error: ${said}\n`, []])
      })

    it('follow the option if given; the error about an unreadable cell suggests the other option', async () => {
      const comma = await pay('given', ['5,000', '7,50', '5.50'], '--decimal', ',')
      expect([comma.exitCode, comma.paid]).to.deep.equal([8, [5, 7.5]])
      expect(comma.stderr).to.contain(
        'row 4, amount: Expected an amount such as 12,50, but received: 5.50; --decimal . would read it',
      )
      const resumed = await json('batch', 'results', 'given --decimal ,')
      expect(listOf(resumed.values).map((row) => objectOf(row).status)).to.deep.equal([
        'done',
        'done',
        'failed',
      ])
    })

    it('apply to quantities as to amounts', async () => {
      const invoice = idOf(await json('invoices', 'create', '--customer-id', customer))
      const line = (amount: string, qty: string) => `${invoice};charge;${amount};${qty}`
      const write = (name: string, ...lines: string[]) =>
        folder.write(name, ['invoice_id;entry_type;amount;qty', ...lines, ''].join('\n'))
      write('qty.csv', line('0,10', '2.500'))
      expect((await run('qty.csv', 'line_item')).exitCode).to.equal(0)
      write('doubt.csv', line('1', '2.500'))
      expect((await run('doubt.csv', 'line_item')).stderr).to.equal(
        'error: qty: 2.500 in row 2 is 2.500 with --decimal . and 2500 with --decimal ,; which is meant?\n',
      )
      const { values } = await json('line-items', 'list', '--where', `invoice_id=${invoice}`)
      expect(listOf(values).map((item) => objectOf(item).qty)).to.deep.equal([2500])
    })

    const bill = async (name: string, days: readonly string[], ...words: string[]) => {
      const rows = days.map((day) => `${customer},${day},${name}`)
      folder.write(`${name}.csv`, ['customer_id,due_date,description', ...rows, ''].join('\n'))
      const ran = await run(`${name}.csv`, 'invoice', ...words)
      const { values } = await json(
        'invoices',
        'list',
        '--where',
        `description=${name}`,
        '--order-by',
        'due_date',
      )
      return { ...ran, due: listOf(values).map((invoice) => objectOf(invoice).due_date) }
    }

    it('include one order of day and month for a whole column, even if a single date allows both', async () => {
      const british = await bill('British', ['02/03/2030', '31/01/2030', '5.6.2030', '2030-12-24'])
      expect(british.due).to.deep.equal(['2030-01-31', '2030-03-02', '2030-06-05', '2030-12-24'])
      expect(british.stderr).to.contain('due_date has its day first, as 31/01/2030 in row 3')
      const american = await bill('American', ['02/03/2030', '01/31/2030', '2030/4/5'])
      expect(american.due).to.deep.equal(['2030-01-31', '2030-02-03', '2030-04-05'])
    })

    it('are refused with both readings if all dates allow two, and are set by --dates', async () => {
      const both = await bill('both', ['02/03/2030', '04/04/2030'])
      expect([both.exitCode, both.stderr, both.due]).to.deep.equal([
        3,
        'error: due_date: 02/03/2030 in row 2 is 2030-03-02 with --dates dmy and 2030-02-03 with --dates mdy\n',
        [],
      ])
      expect((await bill('both', ['02/03/2030'], '--dates', 'dmy')).due).to.deep.equal(['2030-03-02'])
      const mixed = await bill('mixed', ['31/01/2030', '01/31/2030'])
      expect([mixed.exitCode, mixed.stderr]).to.deep.equal([
        3,
        'error: due_date: 31/01/2030 in row 2 has its day first, and 01/31/2030 in row 3 its month; --dates dmy reads the one, --dates mdy the other\n',
      ])
      const wrong = await bill('wrong', ['31/01/2030', '01/02/2030'], '--dates', 'mdy')
      expect([wrong.exitCode, wrong.due]).to.deep.equal([8, ['2030-01-02']])
      expect(wrong.stderr).to.contain(
        'row 2, due_date: Expected a date such as 01/31/2030, but received: 31/01/2030; --dates dmy reads it',
      )
    })

    it('include one order of day and month in lines of JSON, too', async () => {
      const write = (name: string, ...days: string[]) => {
        const lines = days.map((Due) => JSON.stringify({ customer_id: customer, Due, description: name }))
        folder.write(name, lines.join('\n'))
      }
      write('due.ndjson', '02/03/2030', '31/01/2030')
      expect((await run('due.ndjson', 'invoice', '--map', 'Due=due_date')).exitCode).to.equal(0)
      const { values } = await json('invoices', 'list', '--where', 'description=due.ndjson')
      expect(listOf(values).map((invoice) => objectOf(invoice).due_date)).to.have.members([
        '2030-03-02',
        '2030-01-31',
      ])
      write('two.ndjson', '02/03/2030')
      const two = await run('two.ndjson', 'invoice', '--map', 'Due=due_date')
      expect([two.exitCode, two.stderr]).to.deep.equal([
        3,
        'error: due_date: 02/03/2030 in row 1 is 2030-03-02 with --dates dmy and 2030-02-03 with --dates mdy\n',
      ])
    })

    it('include one order of day and month in nested lists and escaped names of JSON, too', async () => {
      const line = (date: string) =>
        `{"customer_id":"${customer}","items":[{"entry_type":"charge","amount":5,"incurred_date":"${date}"}]}`
      folder.write('items.ndjson', line('02/03/2030'))
      const doubtful = await run('items.ndjson', 'invoice')
      expect([doubtful.exitCode, doubtful.stderr]).to.deep.equal([
        3,
        'error: items.incurred_date: 02/03/2030 in row 1 is 2030-03-02 with --dates dmy and 2030-02-03 with --dates mdy\n',
      ])
      folder.write('escaped.ndjson', `${line('02\\/03\\/2030')}\n${line('31\\/01\\/2030')}\n`)
      expect((await run('escaped.ndjson', 'invoice')).exitCode).to.equal(0)
      const { values } = await json('api', 'GET', '/line_items?fields=incurred_date')
      expect(listOf(values).map((item) => objectOf(item).incurred_date)).to.include.members([
        '2030-03-02',
        '2030-01-31',
      ])
    })
  })
})
