import { expect } from 'chai'
import { type Folder, openFolder } from '../../support/batch-file.js'
import { idOf, listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type BatchCommands, batchCommands } from './batch-commands.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('CSV of a list', () => {
    let place: Place
    let folder: Folder
    let customer: string
    before(async () => {
      place = await open.place()
      folder = openFolder()
      open.atEnd(async () => folder.remove())
      const account = folder.write('account.json', JSON.stringify(processingAccount()))
      await json('processing-accounts', 'create', '--data', account)
      customer = idOf(await json('customers', 'create', '--name', 'Ada; Zoë'))
      const lines = [
        { entry_type: 'charge', amount: 1250.5, qty: 2, description: 'rent' },
        { entry_type: 'charge', amount: -3, description: 'discount' },
      ]
      for (const items of [lines, lines.slice(0, 1)]) {
        const body = { customer_id: customer, due_date: '2030-03-02', description: 'source', items }
        await json('invoices', 'create', '--data', folder.write('invoice.json', JSON.stringify(body)))
      }
    })

    const run: BatchCommands['run'] = (...words) => batchCommands(place, folder).run(...words)
    const json: BatchCommands['json'] = (...words) => batchCommands(place, folder).json(...words)
    const csv = async (topic: string, ...words: string[]) =>
      await payctl(place, [topic, 'list', '-o', 'csv', ...words])

    it('has the delimiter, decimal mark and date order of the chosen country', async () => {
      const words = ['--columns', 'customer[name],due_date', '--where', 'description=source', '--limit', '1']
      const { stdout } = await csv('invoices', ...words, '--delimiter', ';', '--bom', '--dates', 'dmy')
      expect(stdout).to.equal('\ufeffcustomer[name];due_date\n"Ada; Zoë";02/03/2030\n')
      const tabs = await csv('invoices', ...words, '--delimiter', 'tab', '--dates', 'mdy')
      expect(tabs.stdout).to.equal('customer[name]\tdue_date\nAda; Zoë\t03/02/2030\n')
      const path = folder.path('invoices.csv')
      await payctl(place, ['invoices', 'list', ...words, '--bom', '--output-file', path])
      expect(folder.read('invoices.csv')).to.equal('\ufeffcustomer[name],due_date\nAda; Zoë,2030-03-02\n')
    })

    it('must be the output format if an option for CSV is given', async () => {
      for (const words of [['--bom'], ['--delimiter', ';'], ['--dates', 'dmy', '--json']]) {
        const { exitCode, stderr } = await payctl(place, ['invoices', 'list', ...words])
        expect([words, exitCode]).to.deep.equal([words, 2])
        expect(stderr).to.contain('--delimiter, --bom and --dates are for CSV')
      }
      const { exitCode, stderr } = await csv('invoices', '--delimiter', ';;')
      expect([exitCode, stderr.includes('Expected one character or tab as --delimiter')]).to.deep.equal([
        2,
        true,
      ])
    })

    it('has columns for lines of invoices, from which a batch recreates the same invoices', async () => {
      const line = (index: number) =>
        ['amount', 'qty', 'description'].map((name) => `items[${index}].${name}`).join(',')
      const columns = `customer_id,due_date,description,${line(0)},${line(1)}`
      const words = ['--where', 'description=source', '--order-by', 'total_due', '--columns', columns]
      const { stdout } = await csv('invoices', ...words, '--delimiter', ';')
      expect(stdout.replaceAll(customer, 'acct')).to.equal(
        'customer_id;due_date;description;items[0][amount];items[0][qty];items[0][description];items[1][amount];items[1][qty];items[1][description]\n' +
          'acct;2030-03-02;source;1250.50;2;rent;-3.00;1;discount\n' +
          'acct;2030-03-02;source;1250.50;2;rent;;;\n',
      )
      folder.write('invoices.csv', stdout.replaceAll('source', 'copy').replaceAll('rent', 'Rent'))
      const { exitCode, stderr } = await run('invoices.csv', 'invoice')
      expect([exitCode, stderr]).to.deep.equal([0, stderr])
      expect(stderr).to.contain('items.0.entry_type is charge, as the file has no such column')
      const { values } = await json(
        'invoices',
        'list',
        '--where',
        'description=copy',
        '--order-by',
        'total_due',
      )
      const made = listOf(values).map(objectOf)
      expect(made.map(({ total_due }) => total_due)).to.deep.equal([2498, 2501])
      expect(listOf(made[0]?.items).map((item) => objectOf(item).description)).to.deep.equal([
        'Rent',
        'discount',
      ])
    })

    it('is refused for a list longer than its columns; a batch names the refused line of its file', async () => {
      const { exitCode, stderr } = await csv(
        'invoices',
        '--where',
        'description=source',
        '--columns',
        'id,items[0].amount',
      )
      expect([exitCode, stderr]).to.deep.equal([2, stderr])
      expect(stderr).to.match(/inv_\w+ has 2 items, and --columns shows 1: add items\[1\]/)
      folder.write('bad.csv', `customer_id,items[0].amount,items[1].qty\n${customer},5,-1\n`)
      expect((await run('bad.csv', 'invoice')).exitCode).to.equal(8)
      expect(folder.read('bad.results.csv')).to.match(/^2,failed,,.*items\[1\]\.qty: Must be at least 0/m)
      folder.write('wrong.csv', `customer_id,items[0].amuont\n${customer},5\n`)
      expect((await run('wrong.csv', 'invoice')).stderr).to.contain(
        'items[0].amuont: No such attribute; did you mean items.0.amount?',
      )
    })
  })
})
