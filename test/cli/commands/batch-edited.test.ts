import { expect } from 'chai'
import { type Folder, openFolder } from '../../support/batch-file.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type BatchCommands, batchCommands } from './batch-commands.js'
import { payctl } from './payctl.js'

const CARD = '4111111111111111'

onDatabases((open) => {
  describe('edited rows of a batch', () => {
    let place: Place
    let folder: Folder
    before(async () => {
      place = await open.place()
      folder = openFolder()
      open.atEnd(async () => folder.remove())
      const account = folder.write('account.json', JSON.stringify(processingAccount()))
      await json('processing-accounts', 'create', '--data', account)
    })

    const commands = () => batchCommands(place, folder)
    const run: BatchCommands['run'] = (...words) => commands().run(...words)
    const json: BatchCommands['json'] = (...words) => commands().json(...words)
    const amounts: BatchCommands['amounts'] = (query) => commands().amounts(query)
    const header = 'amount,card,expiry,order_number'
    const row = (amount: string, order: string) => `${amount},${CARD},12/79,${order}`
    const write = (name: string, ...rows: string[]) => folder.write(name, [header, ...rows].join('\n'))

    it('are refused with both versions if a column identifies them', async () => {
      write('keyed.csv', row('31.50', 'e1'), row('2.00', 'e2'))
      expect((await run('keyed.csv', 'payment', '--key', 'order_number')).exitCode).to.equal(0)
      write('keyed.csv', row('32.50', 'e1'), row('2.00', 'e2'), row('3.00', 'e3'))
      const keyless = await run('keyed.csv', 'payment', '--continue')
      expect(keyless.exitCode).to.equal(6)
      expect(keyless.stderr).to.contain("--key 'order_number' goes on")
      const { exitCode, stderr } = await run('keyed.csv', 'payment', '--key', 'order_number', '--continue')
      expect(exitCode).to.equal(8)
      expect(stderr)
        .to.contain('row 2 was edited and is left alone, amount: 31.50 when it was done, 32.50 now')
        .and.contain('2 done, 1 edited since and left alone, 2 of them in an earlier run')
      expect(folder.read('keyed.results.csv')).to.match(/^2,edited,txn_\w+,"amount: 31.50/m)
      expect(await amounts('order_number=e1|e2|e3')).to.deep.equal([2, 3, 31.5])
      const resumed = await payctl(place, ['batch', 'resume', 'keyed.csv'])
      expect(resumed.stderr).to.contain('1 edited since and left alone, 3 of them in an earlier run')
    })

    it('are run again only with a flag if no column identifies them', async () => {
      write('plain.csv', row('31.50', 'p1'), row('2.00', 'p2'))
      expect((await run('plain.csv', 'payment')).exitCode).to.equal(0)
      write('plain.csv', row('4.00', 'p0'), row('2.00', 'p2'), row('31.50', 'p1'))
      expect((await run('plain.csv', 'payment', '--continue')).exitCode).to.equal(0)
      write('plain.csv', row('4.00', 'p0'), row('2.00', 'p2'), row('32.50', 'p1'))
      const refused = await run('plain.csv', 'payment', '--continue', '--yes')
      expect(refused.exitCode).to.equal(2)
      expect(refused.stderr)
        .to.contain(
          '1 row that this batch has done is not in the file any more, and 1 row of the file is new',
        )
        .and.contain('--redo-edited')
      expect(await amounts('order_number=p0|p1|p2')).to.deep.equal([2, 4, 31.5])
      const again = await run('plain.csv', 'payment', '--continue', '--redo-edited')
      expect([again.exitCode, again.stderr.includes('Warning: 1 row that')]).to.deep.equal([0, true])
      expect(await amounts('order_number=p0|p1|p2')).to.deep.equal([2, 4, 31.5, 32.5])
    })

    it('are new rows if the same file is read with other options, and need the flag, too', async () => {
      folder.write('mapped.csv', `Note,${header}\nlate,${row('7.00', 'm1')}\n`)
      expect((await run('mapped.csv', 'payment', '--map', 'Note=')).exitCode).to.equal(0)
      expect((await run('mapped.csv', 'payment', '--map', 'Note=')).exitCode).to.equal(0)
      const refused = await run('mapped.csv', 'payment', '--map', 'Note=description')
      expect([refused.exitCode, refused.stderr.includes('--redo-edited')]).to.deep.equal([2, true])
      expect(await amounts('order_number=m1')).to.deep.equal([7])
    })

    it('continue under the same profile and flags', async () => {
      write('part.csv', row('-1', 'x1'), row('2.00', 'x2'), row('3.00', 'x3'))
      const { home, databaseUrl } = place
      const target = databaseUrl === undefined ? ['--home', home] : ['--database-url', databaseUrl]
      await payctl(place, ['profiles', 'add', 'desk', ...target])
      const { stderr } = await run(
        'part.csv',
        'payment',
        '--env',
        'test',
        '--stop-on-error',
        '--key=order_number',
        '--profile=desk',
      )
      expect(stderr).to.match(/continue with: payctl batch resume part\.csv --env test .*--profile[= ]desk/)
    })

    it('are not supported if a key is missing, duplicate, or secret', async () => {
      write('twice.csv', row('1', 't1'), row('2', 't1'), row('3', ''))
      const twice = await run('twice.csv', 'payment', '--key', 'order_number')
      expect(twice.exitCode).to.equal(3)
      expect(twice.stderr)
        .to.contain('row 3, order_number: The same as in row 2')
        .and.contain('row 4, order_number: Required')
      for (const key of ['card', 'invoice'])
        expect((await run('twice.csv', 'payment', '--key', key)).exitCode).to.equal(2)
    })
  })
})
