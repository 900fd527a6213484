import { expect } from 'chai'
import { type Folder, openFolder } from '../../support/batch-file.js'
import { idOf, listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type BatchCommands, batchCommands } from './batch-commands.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('a batch of updates', () => {
    let place: Place
    let folder: Folder
    let [ada, ben]: string[] = []
    before(async () => {
      place = await open.place()
      folder = openFolder()
      open.atEnd(async () => folder.remove())
      const account = folder.write('account.json', JSON.stringify(processingAccount()))
      await json('processing-accounts', 'create', '--data', account)
      for (const name of ['Ada', 'Ben']) {
        const words = ['--name', name, '--description', 'as it was', '--email', `${name}@example.com`]
        const id = idOf(await json('customers', 'create', ...words))
        if (name === 'Ada') ada = id
        else ben = id
      }
    })

    const run: BatchCommands['run'] = (...words) => batchCommands(place, folder).run(...words)
    const json: BatchCommands['json'] = (...words) => batchCommands(place, folder).json(...words)
    const people = async (...names: readonly string[]) => {
      const { values } = await json('customers', 'list', '--order-by', 'name')
      return listOf(values).map((value) => names.map((name) => objectOf(value)[name]))
    }

    it('changes the columns of a file, ignores empty cells, and fails rows of unknown objects', async () => {
      folder.write('people.csv', `name,ID,description\n,${ada},VIP\nBenjamin,${ben},\nX,acct_0,x\nY,,y\n`)
      const dry = await run('people.csv', 'update', '--dry-run')
      expect(dry.stderr).to.contain('people.csv: 4 rows (update_account)')
      expect(await people('name')).to.deep.equal([['Ada'], ['Ben']])
      const { exitCode, stderr } = await run('people.csv', 'update')
      expect([exitCode, stderr]).to.deep.equal([8, stderr])
      expect(stderr).to.contain('2 done, 2 failed')
      expect(folder.read('people.results.csv'))
        .to.contain('4,failed,,ID: Not found')
        .and.contain('5,failed,,ID: Required')
      expect(await people('name', 'description')).to.deep.equal([
        ['Ada', 'VIP'],
        ['Benjamin', 'as it was'],
      ])
      const again = await payctl(place, ['batch', 'resume', 'people.csv'])
      expect(again.stderr).to.contain('4 of them in an earlier run')
    })

    it('clears attributes of empty cells only on request', async () => {
      folder.write('clear.csv', `id;description;email\n${ada};;ada@example.org\n`)
      expect((await run('clear.csv', 'update', '--clear-blanks')).exitCode).to.equal(0)
      const [first] = await people('description', 'email')
      expect(first).to.deep.equal([null, 'ada@example.org'])
      const created = await run('clear.csv', 'customer', '--clear-blanks')
      expect([created.exitCode, created.stderr]).to.deep.equal([2, created.stderr])
      expect(created.stderr).to.contain('--clear-blanks is for --as update')
    })

    it('reads an edited export, also as lines of JSON', async () => {
      const words = ['customers', 'list', '-o', 'csv', '--safe-csv', '--columns', 'id,description']
      const { stdout } = await payctl(place, words)
      folder.write(
        'export.csv',
        stdout.replaceAll(/,.*$/gm, ',"\'@new"').replace(',"\'@new"', ',description'),
      )
      expect((await run('export.csv', 'update')).exitCode).to.equal(0)
      expect(await people('description')).to.deep.equal([['@new'], ['@new']])
      folder.write('lines.ndjson', JSON.stringify({ id: ben, description: null }))
      expect((await run('lines.ndjson', 'update')).exitCode).to.equal(0)
      expect(await people('description')).to.deep.equal([['@new'], [null]])
    })

    it('is refused if the file has no ids, or ids of objects that cannot be updated', async () => {
      folder.write('none.csv', 'name,description\nAda,x\n')
      folder.write('logs.csv', 'id,description\nwhatever_1,x\n')
      for (const [name, said] of [
        ['none.csv', 'id: There is no such column'],
        ['logs.csv', 'id: whatever_1 is no id of an object that can be changed'],
      ] as const) {
        const { exitCode, stderr } = await run(name, 'update')
        expect([exitCode, stderr.includes(said)], stderr).to.deep.equal([3, true])
      }
      expect((await run('none.csv', 'coins')).stderr).to.match(
        /Expected --as payment\|.*\|update, but received: coins/,
      )
    })

    it('moves money in live only after a confirmation, and captures and voids the given payments', async () => {
      const card = ['--card', '4111111111111111', '--expiry', '12/79', '--authorize']
      const held = []
      for (const amount of ['20', '30'])
        held.push(idOf(await json('transactions', 'pay', '--amount', amount, ...card)))
      const [first, second] = held
      folder.write('held.csv', `id,status,description\n${first},processed,captured\n${second},voided,\n`)
      const live = await run('held.csv', 'update', '--env', 'live')
      expect([live.exitCode, live.stderr.includes('add --confirm live')]).to.deep.equal([2, true])
      expect((await run('held.csv', 'update')).exitCode).to.equal(0)
      expect(await json('transactions', 'get', String(first))).to.include({
        status: 'processed',
        description: 'captured',
      })
      expect(await json('transactions', 'get', String(second))).to.include({ status: 'voided' })
    })

    it('can change the description of a declined payment twice, and the sealed books stay valid', async () => {
      const declined = ['--amount', '20', '--card', '4111111111119903', '--expiry', '12/79']
      expect((await payctl(place, ['transactions', 'pay', ...declined])).exitCode).to.equal(7)
      const { values } = await json('transactions', 'list', '--where', 'status=declined')
      const [id] = listOf(values).map(objectOf).map(idOf)
      for (const words of [[], ['--continue', '--redo-edited']]) {
        folder.write('notes.csv', `id,description\n${id},called ${words.length} times\n`)
        expect((await run('notes.csv', 'update', ...words)).exitCode).to.equal(0)
      }
      expect((await payctl(place, ['verify'])).exitCode).to.equal(0)
    })
  })
})
