import { expect } from 'chai'
import { type Folder, openFolder } from '../../support/batch-file.js'
import { listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { type BatchCommands, batchCommands } from './batch-commands.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('a file exported by a spreadsheet program', () => {
    let place: Place
    let folder: Folder
    before(async () => {
      place = await open.place()
      folder = openFolder()
      open.atEnd(async () => folder.remove())
    })

    const run: BatchCommands['run'] = (...words) => batchCommands(place, folder).run(...words)
    const people = async (description: string) => {
      const words = ['customers', 'list', '--where', `description=${description}`, '--order-by', 'name']
      const { values } = await batchCommands(place, folder).json(...words)
      return listOf(values).map((customer) => objectOf(customer).name)
    }

    it('may declare its delimiter in a first line before the header', async () => {
      const files: readonly (readonly [name: string, content: string | Buffer])[] = [
        ['semicolon.csv', 'sep=;\r\nname;description\r\nA, B;sep\r\n'],
        ['quoted.csv', '\ufeff"sep=|",\nname|description\nC,D|sep\n'],
        ['wide.csv', Buffer.from('\ufeffSEP=\t\r\n\r\nname\tdescription\r\nE;F\tsep\r\n', 'utf16le')],
      ]
      for (const [name, content] of files) {
        folder.write(name, content)
        expect((await run(name, 'customer')).exitCode, name).to.equal(0)
      }
      expect(await people('sep')).to.deep.equal(['A, B', 'C,D', 'E;F'])
      folder.write('bad.csv', 'sep=|\nname|email\nA,B|nowhere\n')
      expect((await run('bad.csv', 'customer')).exitCode).to.equal(8)
      expect(folder.read('bad.results.csv')).to.contain('\n2,failed,')
      const failed = folder.read('bad.failed.csv')
      expect(failed).to.match(/^sep=\|\nwhy it failed\|name\|email\nemail: [^|]*\|A,B\|nowhere\n$/)
      folder.write('bad.failed.csv', failed.replace('nowhere', 'a@example.com'))
      expect((await run('bad.failed.csv', 'customer')).exitCode).to.equal(0)
    })

    it('may have empty columns, short rows and lines of blanks', async () => {
      folder.write(
        'blank.csv',
        ' ; ;;;\nname;;description;;\n\u00a0; ;;;\nAda;;blank;;\nBen;;blank\n\t;;;;\nCyd;;blank;;;; \n',
      )
      const { exitCode, stderr } = await run('blank.csv', 'customer')
      expect([exitCode, stderr]).to.deep.equal([0, stderr])
      expect(await people('blank')).to.deep.equal(['Ada', 'Ben', 'Cyd'])
    })

    it('with --safe-csv is read back to the same texts', async () => {
      const texts = [
        '@home',
        '=1+1',
        "'=x",
        "'plain",
        '+1 212',
        '-5',
        ' =lead',
        'end ',
        '\t@tab',
        'two\r\nlines',
        '"q", ;',
      ]
      const lines = texts.map((description, index) => JSON.stringify({ name: `safe ${index}`, description }))
      folder.write('texts.ndjson', lines.join('\n'))
      expect((await run('texts.ndjson', 'customer')).exitCode).to.equal(0)
      const exported = async () => {
        const words = ['customers', 'list', '--where', 'name=?safe*', '--order-by', 'id', '-o', 'csv']
        const { stdout } = await payctl(place, [...words, '--safe-csv', '--columns', 'name,description'])
        return stdout
      }
      const csv = await exported()
      folder.write('people.csv', csv)
      expect((await run('people.csv', 'customer')).exitCode).to.equal(0)
      const rowsIn = (text: string) => text.trimEnd().split(/\n(?='?safe )/)
      const [head, ...rows] = rowsIn(csv)
      expect(head).to.equal("'name,description")
      const [, ...twice] = rowsIn(await exported())
      expect(twice.sort()).to.deep.equal([...rows, ...rows].sort())
    })

    it('with failed rows is read without its protecting apostrophes, even if it was renamed', async () => {
      folder.write('formulas.csv', 'name,description,email\nFay,@renamed,nowhere\n')
      expect((await run('formulas.csv', 'customer')).exitCode).to.equal(8)
      const failed = folder.read('formulas.failed.csv')
      expect(failed).to.contain("Fay,'@renamed,")
      folder.write('fixed.csv', failed.replace('nowhere', 'fay@example.com'))
      expect((await run('fixed.csv', 'customer')).exitCode).to.equal(0)
      expect(await people('@renamed')).to.deep.equal(['Fay'])
    })

    it('is checked for duplicate rows, which can be skipped on request', async () => {
      folder.write('twice.csv', 'name,description\nAda,twice\nBen,twice\nAda,twice\n\nAda ,twice\n')
      const dry = await run('twice.csv', 'customer', '--dry-run')
      expect(dry.stderr).to.contain(
        'Warning: 2 rows are the same as an earlier one: row 4 as row 2, row 6 as row 2. Each is done; --skip-duplicates leaves them out.\n',
      )
      const once = await run('twice.csv', 'customer', '--skip-duplicates', '--stop-on-error')
      expect([once.exitCode, once.stderr]).to.deep.equal([0, once.stderr])
      expect(once.stderr).to.contain(
        '2 rows are left out, the same as an earlier one: row 4 as row 2, row 6 as row 2.\n',
      )
      expect(await people('twice')).to.deep.equal(['Ada', 'Ben'])
      const resumed = await payctl(place, ['batch', 'resume', 'twice.csv'])
      expect([resumed.exitCode, await people('twice')]).to.deep.equal([0, ['Ada', 'Ben']])
    })

    it('is refused with the delimiter that would read its header', async () => {
      folder.write('pipes.csv', 'name|email\nAda|ada@example.com\n')
      const refused = await run('pipes.csv', 'customer')
      expect([refused.exitCode, refused.stderr]).to.deep.equal([3, refused.stderr])
      expect(refused.stderr).to.contain(
        "name|email: No such attribute; --delimiter '|' reads it as 2 columns\n",
      )
      expect((await run('pipes.csv', 'customer', '--delimiter', '|')).exitCode).to.equal(0)
      for (const delimiter of ['', '"', '||']) {
        const { exitCode, stderr } = await run('pipes.csv', 'customer', '--delimiter', delimiter)
        expect([exitCode, stderr]).to.deep.equal([2, stderr])
        expect(stderr).to.contain('Expected one character or tab as --delimiter')
      }
    })
  })
})
