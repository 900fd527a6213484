import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { expect } from 'chai'
import { type Folder, openFolder } from '../../support/batch-file.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('a batch', () => {
    let place: Place
    let folder: Folder
    before(async () => {
      place = await open.place()
      folder = openFolder()
      open.atEnd(async () => folder.remove())
      folder.write('people.csv', 'Full name,Mail\nAda,ada@example.com\nBen,nowhere\n')
    })

    const run = (...words: string[]) =>
      payctl(place, ['batch', 'run', folder.path('people.csv'), '--as', 'customer', ...words])

    const customers = (name: string) => payctl(place, ['batch', 'run', folder.path(name), '--as', 'customer'])

    it('names errors by the columns of its file, in a dry run, too', async () => {
      const mapped = ['--map', 'Full name=name', '--map', 'Mail=email']
      const { exitCode, stderr } = await run(...mapped, '--dry-run')
      expect([exitCode, stderr]).to.deep.equal([8, stderr])
      expect(stderr).to.contain('row 3, Mail: Must be')
      expect((await run(...mapped)).exitCode).to.equal(8)
    })

    it('names the kind of a binary file, and runs no row if its result files cannot be written', async () => {
      folder.write('book.csv', Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe]))
      const book = await customers('book.csv')
      expect([book.exitCode, book.stderr]).to.deep.equal([
        3,
        'error: row 1: Is no text but a spreadsheet or an archive: save it as CSV, and name that file\n',
      ])
      folder.write('list.json', '[{"name":"Ada"},{"name":"Ben"}]')
      const list = await customers('list.json')
      expect([list.exitCode, list.stderr]).to.deep.equal([
        3,
        "error: row 1: Is a JSON list: write one object per line, as jq -c '.[]' does\n",
      ])
      for (const results of ['results', 'failed']) {
        const path = folder.path(`in-the-way.${results}.csv`)
        mkdirSync(path)
        folder.write('in-the-way.csv', 'name\nNobody\n')
        const { exitCode, stderr } = await customers('in-the-way.csv')
        expect([exitCode, stderr]).to.deep.equal([2, stderr])
        expect(stderr).to.include(`The file ${path} cannot be written: it is a folder`)
        rmSync(path, { recursive: true })
      }
      expect(readdirSync(folder.path('.')).filter((name) => name.endsWith('.part'))).to.deep.equal([])
      const found = await payctl(place, [
        'customers',
        'list',
        '--where',
        'name=Nobody',
        '-o',
        'csv',
        '--columns',
        'id',
      ])
      expect(found.stdout).to.equal('id\n')
    })

    it('may have any name, and the sealed books stay valid', async () => {
      folder.write('named.csv', 'name\nDee\n')
      const words = ['batch', 'run', folder.path('named.csv'), '--as', 'customer', '--batch-id']
      const names = ['two\nlines', 'rent march', '"rent"', '$(touch forged); x']
      for (const name of names) expect((await payctl(place, [...words, name])).exitCode).to.equal(0)
      const { stdout } = await payctl(place, ['verify', '--json'])
      expect(JSON.parse(stdout)).to.deep.include({ found: 0, findings: [] })
      const bash = ['autocomplete', 'words', '--shell', 'bash', '--', 'payctl batch results ']
      expect((await payctl(place, bash)).stdout.split('\n')).to.include.members([
        "'$(touch forged); x'",
        '\'"rent"\'',
        "'rent march'",
      ])
      expect((await payctl(place, bash)).stdout).not.to.match(/^two|^lines/m)
    })

    it('has its own exit code if its output cannot be written although its rows are done', async () => {
      folder.write('full.csv', 'name\nCyd\n')
      const words = ['batch', 'run', folder.path('full.csv'), '--as', 'customer']
      const through = ['sh', '-c', 'exec "$@" > /dev/full', 'sh']
      const { exitCode, stderr } = await payctl(place, words, { through })
      expect([exitCode, stderr]).to.deep.equal([1, stderr])
      expect(stderr).to.contain('1 done\n').and.to.contain('the answer could not be written (ENOSPC)')
    })

    it('finds a spreadsheet header below empty rows, and shows the total with cents', async () => {
      folder.write('due.csv', '\ufeff\r\n\r\nName;Amount;Customer\r\n;"1250,00";acct_1\r\n;;\r\n')
      const words = ['batch', 'run', folder.path('due.csv'), '--as', 'payment', '--decimal', ',']
      const { stderr, stdout } = await payctl(place, [...words, '--map', 'Name=', '--dry-run'])
      expect(stderr).to.include(
        'due.csv: 1 row (payment), 1,250.00 in all\n  Customer is read as customer_id\n',
      )
      expect(stdout).to.match(/^amount +1250\.00$/m)
    })

    it('prints no control characters from its file or file name', async () => {
      folder.write('\u001b[2Jrefunds.csv', 'Reference,amount\ntxn_1,\u001b[2J\u009b2J\u202elots\n')
      const words = ['batch', 'run', folder.path('\u001b[2Jrefunds.csv'), '--as', 'refund', '--dry-run']
      const { exitCode, stderr } = await payctl(place, words)
      expect([exitCode, stderr]).to.deep.equal([8, stderr])
      expect(stderr)
        .to.include('lots')
        .and.not.match(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
    })

    it('refuses column names that reach inherited properties of objects', async () => {
      folder.write('names.csv', 'name,attrs.__proto__.isForged\nAda,1\n')
      const { exitCode, stderr } = await payctl(place, [
        'batch',
        'run',
        folder.path('names.csv'),
        '--as',
        'customer',
        '--dry-run',
      ])
      expect([exitCode, stderr]).to.deep.equal([3, stderr])
      expect(stderr).to.include('attrs.__proto__.isForged: No such attribute')
    })

    it('refuses attributes in a line of JSON that are never accepted', async () => {
      const deep = '['.repeat(400_000) + ']'.repeat(400_000)
      folder.write('lines.ndjson', `{"name":"Ada","attrs":{"__proto__":1}}\n{"name":"Ben","attrs":${deep}}\n`)
      const { exitCode, stderr } = await payctl(place, [
        'batch',
        'run',
        folder.path('lines.ndjson'),
        '--as',
        'customer',
        '--dry-run',
      ])
      expect([exitCode, stderr]).to.deep.equal([8, stderr])
      expect(stderr).to.include('row 1, No attribute may be called __proto__, as in the line')
      expect(stderr).to.include('row 2, Expected at most 32 levels in the line')
    })

    const hostile: readonly (readonly [what: string, name: string, text: string, said: string])[] = [
      ['a NUL', 'nul.csv', 'name,description\nAda,a\nBen,b\0b\nCyd,c\n', 'description: Must be valid string'],
      [
        'a NUL where a number belongs',
        'number.csv',
        'name,transaction_limit\nAda,\nBen,1\0\nCyd,\n',
        'transaction_limit: Must be valid string',
      ],
      [
        'more than a row can have',
        'long.csv',
        `name,description\nAda,a\nBen,${'b'.repeat(70_000)}\nCyd,c\n`,
        'Must be at most 65536 characters of JSON',
      ],
      [
        'a number that would come back changed',
        'exact.ndjson',
        '\n{"name":"Ada"}\n{"name":"Ben","attrs":{"n":12345678901234567890}}\n{"name":"Cyd"}\n',
        'numbers',
      ],
      [
        'half of a character',
        'half.ndjson',
        '\n{"name":"Ada"}\n{"name":"Ben\\ud800"}\n{"name":"Cyd"}\n',
        'Must be valid JSON without NUL and broken characters',
      ],
    ]
    for (const [what, name, text, said] of hostile)
      it(`runs the other rows if one row has ${what}`, async () => {
        folder.write(name, text)
        const words = ['batch', 'run', folder.path(name), '--as', 'customer']
        for (const times of ['for the first time', 'again']) {
          const { exitCode, stderr } = await payctl(place, words)
          expect([times, exitCode, stderr]).to.deep.equal([times, 8, stderr])
          expect(stderr)
            .to.match(/^2 done/m)
            .and.match(/, 1 failed/)
          expect(stderr).to.match(/row 3, .*/)
          expect(/row 3, (.*)/.exec(stderr)?.[1]).to.include(said)
        }
      })

    it('reports unreadable rows once in a dry run', async () => {
      folder.write('refunds.csv', 'payment,amount\ntxn_1,lots\ntxn_2,5\n')
      const words = ['batch', 'run', folder.path('refunds.csv'), '--as', 'refund', '--dry-run']
      const { stderr } = await payctl(place, words)
      expect(stderr.match(/row \d.*/g)).to.deep.equal([
        'row 2, amount: Expected an amount such as 12.50, but received: lots',
        'row 3, payment: Not found',
      ])
    })

    it('suggests a similar name if the named batch does not exist', async () => {
      for (const command of ['results', 'resume']) {
        const { exitCode, stderr } = await payctl(place, ['batch', command, 'people.cvs'])
        expect([exitCode, stderr]).to.deep.equal([
          5,
          'error: There is no batch people.cvs; did you mean people.csv? payctl batch results lists all\n',
        ])
      }
    })
  })
})
