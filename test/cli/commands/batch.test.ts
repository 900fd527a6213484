import { expect } from 'chai'
import { type Folder, openFolder } from '../../support/batch-file.js'
import { idOf, listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type BatchCommands, batchCommands } from './batch-commands.js'
import { payctl } from './payctl.js'

const CARD = '4111111111111111'

onDatabases((open) => {
  describe('payctl batch', () => {
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

    it('pays all valid rows; its failed file, once corrected and run, pays exactly the rest', async () => {
      const header =
        'Total;payment_method.type;payment_method.card.card_number;payment_method.card.expiry;Note'
      const bad: readonly (readonly [row: string, error: string])[] = [
        [
          `2.0055;card;${CARD};12/79;`,
          '"Total: Expected an amount with at most 2 decimals, but received: 2.0055"',
        ],
        [`abc;card;${CARD};12/79;`, '"Total: Expected an amount such as 12.50, but received: abc"'],
        [`-4;card;${CARD};12/79;`, 'Total: Must be greater than 0'],
        [`;card;${CARD};12/79;`, 'Total: Required'],
        ['6;card;4111111111111112;12/79;', 'payment_method.card.card_number: Must be valid card number'],
        [`7;card;${CARD};13/79;`, '"payment_method.card.expiry: Must be'],
        [`8;coins;${CARD};12/79;`, ''],
        [`9;card;${CARD};12/79`, '"Has 4 cells, and the header has 5"'],
        [`10;card;${CARD};12/79;x;y`, '"Has 6 cells, and the header has 5"'],
        ['11;card;4111111111119903;12/79;', 'Declined without a stated reason'],
      ]
      const good = [
        `1;card;${CARD};12/79;"two\nlines, and ""quotes"""`,
        `"1,250.00";card;4111 1111-1111 1111;12/79;é`,
        `1;card;${CARD};12/79;"two\nlines, and ""quotes"""`,
      ]
      const rows = [good[0], '', ...bad.map(([row]) => row), good[1], good[2]]
      folder.write('faults.csv', `\ufeff${[header, ...rows].join('\r\n')}\r\n`)
      const map = ['--map', 'Total=amount', '--map', 'Note=']

      const dry = await run('faults.csv', 'payment', ...map, '--dry-run')
      expect(dry.exitCode).to.equal(8)
      expect(dry.stderr)
        .to.contain('faults.csv: 13 rows (payment)')
        .and.contain('row 5, Total: Expected an amount such as')
      expect(await amounts('type=payment')).to.deep.equal([])

      const first = await run('faults.csv', 'payment', ...map)
      expect(first.exitCode).to.equal(8)
      expect(await amounts('status=processed')).to.deep.equal([1, 1, 1250])
      const results = folder.read('faults.results.csv').trimEnd().split('\n')
      expect(results).to.have.length(14)
      for (const [index, [, error]] of bad.entries()) expect(results[index + 2]).to.contain(`,${error}`)
      const failed = folder.read('faults.failed.csv')
      const [head, ...reasons] = failed.replace('\ufeff', '').trimEnd().split('\n')
      expect(head).to.equal(`why it failed;${header}`)
      for (const [index, [row, error]] of bad.entries())
        expect(reasons[index])
          .to.contain(error.replaceAll('"', ''))
          .and.to.satisfy((line: string) => line.endsWith(`;${row}`))

      const fixed = bad.map((_, index) => `${index + 100};card;${CARD};12/79;`)
      folder.write('faults.failed.csv', [header, ...fixed].join('\n'))
      const second = await run('faults.failed.csv', 'payment', ...map)
      expect({ exitCode: second.exitCode, failed: second.stderr.includes('failed.failed') }).to.deep.equal({
        exitCode: 0,
        failed: false,
      })
      const rest = bad.map((_, index) => index + 100)
      expect(await amounts('status=processed')).to.deep.equal([1, 1, ...rest, 1250])

      const again = await run('faults.csv', 'payment', ...map)
      expect(again.exitCode).to.equal(8)
      expect(again.stderr).to.contain('13 of them in an earlier run')
      expect(await amounts('status=processed')).to.deep.equal([1, 1, ...rest, 1250])
      expect(folder.read('faults.failed.csv.bak')).to.equal([header, ...fixed].join('\n'))
    })

    it('writes no spreadsheet formulas, and reads its failed file back unchanged', async () => {
      const rows = ['=cmd(),-5,nobody@', '@home,+1 212 555 0100,ada@example.com', "'=x,-2+3,nobody@"]
      folder.write('formulas.csv', ['name,description,email', ...rows, ''].join('\n'))
      expect((await run('formulas.csv', 'customer')).exitCode).to.equal(8)
      const failed = folder.read('formulas.failed.csv')
      expect(failed.replaceAll(/^[^,]*(?:"[^"]*")?[^,]*,(?=name|')/gm, '')).to.equal(
        "name,description,email\n'=cmd(),-5,nobody@\n''=x,'-2+3,nobody@\n",
      )

      folder.write('formulas.failed.csv', failed.replaceAll('nobody@', 'ada@example.com'))
      expect((await run('formulas.failed.csv', 'customer')).exitCode).to.equal(0)
      const words = ['customers', 'list', '--where', 'email=ada@example.com', '--columns', 'name,description']
      const order = ['--order-by', 'name', '-o', 'csv']
      const { stdout } = await payctl(place, [...words, ...order])
      expect(stdout).to.equal("name,description\n'=x,-2+3\n=cmd(),-5\n@home,+1 212 555 0100\n")
      const safe = await payctl(place, [...words, ...order, '--safe-csv'])
      expect(safe.stdout).to.equal("'name,description\n''=x,'-2+3\n'=cmd(),-5\n'@home,'+1 212 555 0100\n")

      const raw = ['--batch-id', 'as it is', '--out', folder.path('.'), '--no-safe-csv']
      expect((await run('formulas.csv', 'customer', ...raw)).exitCode).to.equal(8)
      expect(folder.read('formulas.as it is.failed.csv'))
        .to.contain(`,${rows[0]}\n`)
        .and.contain(`,${rows[2]}\n`)
      expect(folder.read('formulas.results.csv'), 'another batch overwrites nothing').to.contain(
        '\n2,failed,',
      )
    })

    it('refuses a file with unknown columns, and sends no row', async () => {
      folder.write('columns.csv', 'name,Emial,,name\nAda,a@example.com,-,x\n')
      const { exitCode, stderr } = await run('columns.csv', 'customer')
      expect(exitCode).to.equal(3)
      for (const place of ['Emial: No such attribute', 'name: Is a duplicate of'])
        expect(stderr).to.contain(place)
      folder.write('unnamed.csv', 'name,,email\nAda,,a@example.com\nBen,-,b@example.com\n')
      expect((await run('unnamed.csv', 'customer')).stderr).to.equal(
        'error: column 2: Has no name, and a cell in row 3\n',
      )
      folder.write('quote.csv', 'name,email\nAda,a@example.com\nBen,"b@example.com\nCleo,c@example.com\n')
      const quote = await run('quote.csv', 'customer')
      expect([quote.exitCode, quote.stderr]).to.deep.equal([
        3,
        'error: row 3: A quote is opened and never closed\n',
      ])
      expect((await run('nowhere.csv', 'customer')).exitCode).to.equal(2)
      expect((await run('quote.csv', 'coins')).exitCode).to.equal(2)
    })

    it('reads files of spreadsheet programs', async () => {
      const text = 'name\temail\nZoë\tzoe@example.com\nÅsa\tasa@example.com\n'
      folder.write('wide.csv', Buffer.from(`\ufeff${text}`, 'utf16le'))
      folder.write('old.csv', Buffer.from(text, 'latin1'))
      expect((await run('wide.csv', 'customer')).exitCode).to.equal(0)
      const old = await run('old.csv', 'customer')
      expect([old.exitCode, old.stderr.split('\n')[0]]).to.deep.equal([
        3,
        'error: row 2, name: Not in UTF-8; it may be in --encoding latin1',
      ])
      expect((await run('old.csv', 'customer', '--encoding', 'latin1')).exitCode).to.equal(0)
      const { values } = await json('customers', 'list', '--where', 'name=Zoë')
      expect(values).to.have.length(2)
    })

    it('accepts lines of JSON from a pipe, which need a name', async () => {
      const line = JSON.stringify({ name: 'Piped', attrs: { from: 'a pipe' } })
      const input = `${line}\n${line}\n{"name":\n`
      const words = ['batch', 'run', '-', '--as', 'customer']
      expect((await payctl(place, words, { input })).stderr).to.contain('Missing --batch-id')
      const named = [...words, '--batch-id', 'piped', '--out', folder.path('.'), '--json']
      const { exitCode, stdout } = await payctl(place, named, { input })
      expect(exitCode).to.equal(8)
      expect(JSON.parse(stdout)).to.include({ id: 'piped', rows: 3, done: 2, failed: 1 })
      const { values } = await json('batch', 'results', 'piped')
      expect(listOf(values).map((row) => objectOf(row).status)).to.deep.equal(['done', 'done', 'failed'])
      expect((await payctl(place, ['batch', 'resume', 'piped'])).stderr).to.contain('Missing FILE')
      expect(folder.read('piped.failed.ndjson')).to.equal('{"name":\n')
    })

    it('refunds and voids the payments named in rows, and stops on request', async () => {
      const pay = async (...words: string[]) =>
        idOf(
          await json('transactions', 'pay', '--amount', '20', '--card', CARD, '--expiry', '12/79', ...words),
        )
      const one = await pay()
      const two = await pay()
      const held = await pay('--authorize')
      folder.write('refunds.csv', `payment,amount\n${one},5\ntxn_0,5\n${two},\n`)
      const stopped = await run('refunds.csv', 'refund', '--stop-on-error')
      expect(stopped.exitCode).to.equal(8)
      expect(stopped.stderr).to.contain('1 done, 1 failed').and.contain('payctl batch resume refunds.csv')
      expect(await amounts('type=refund')).to.deep.equal([5])
      expect((await payctl(place, ['batch', 'resume', 'refunds.csv'])).exitCode).to.equal(8)
      expect(await amounts('type=refund')).to.deep.equal([5, 20])
      folder.write('voids.csv', `payment\n${held}\n`)
      expect((await run('voids.csv', 'void')).exitCode).to.equal(0)
      expect(await json('transactions', 'get', held)).to.include({ status: 'voided' })
    })

    it('accepts the name of a finished batch for another file only with a flag', async () => {
      folder.write('people.csv', 'name\nAda\n')
      expect((await run('people.csv', 'customer')).exitCode).to.equal(0)
      folder.write('people.csv', 'name\nBen\nAda\n')
      const refused = await run('people.csv', 'customer')
      expect(refused.exitCode).to.equal(6)
      expect(refused.stderr).to.contain('--batch-id NEW').and.contain('--continue')
      const { stderr } = await run('people.csv', 'customer', '--continue')
      expect(stderr).to.contain('2 done, 1 of them in an earlier run')
    })

    it('reads common date and number formats, shows what it guessed, and warns of duplicate rows', async () => {
      const lines = [
        `"$1,234.50",${CARD},12/79,77`,
        `"USD 3.25",${CARD},12/79,78`,
        `"USD 3.25",${CARD},12/79,78`,
      ]
      folder.write(
        'people.csv',
        ['Total,Card number,Expiry,Order no.', ...lines, `(5.00),${CARD},12/79,79`].join('\n'),
      )
      const { exitCode, stderr } = await run('people.csv', 'payment', '--batch-id', 'as written')
      expect(exitCode).to.equal(8)
      for (const said of [
        'Card number is read as payment_method.card.card_number',
        'Order no. is read as order_number',
        'payment_method.type is card, as the file has no such column',
        'Warning: 1 row is the same as an earlier one: row 4 as row 3. Each is done; --skip-duplicates leaves it out.',
        '3 done, 1 failed',
      ])
        expect(stderr).to.contain(said)
      expect(await amounts('order_number=77|78|79')).to.deep.equal([3.25, 3.25, 1234.5])
      expect(folder.read('people.as written.failed.csv')).to.equal(
        `why it failed,Total,Card number,Expiry,Order no.\nTotal: Must be greater than 0,'(5.00),${CARD},12/79,79\n`.replace(
          "'(",
          '(',
        ),
      )

      const { values } = await json('transactions', 'list', '--where', 'order_number=77')
      const [paid] = listOf(values).map(objectOf)
      folder.write('back.csv', `Reference;Sum\n${paid?.ref_number};(1.034,50)\n`)
      const back = await run('back.csv', 'refund', '--decimal', ',')
      expect([back.exitCode, back.stderr]).to.deep.equal([0, back.stderr])
      expect(back.stderr).to.contain('1 amount is written below zero, and means the same above.')
      expect(await amounts('type=refund')).to.include(1034.5)
    })

    it('moves money in live only with a confirmation', async () => {
      folder.write('live.csv', 'payment\ntxn_1\n')
      const { exitCode, stderr } = await run('live.csv', 'refund', '--env', 'live')
      expect(exitCode).to.equal(2)
      expect(stderr).to.contain('add --confirm live')
      const told = await run('live.csv', 'refund', '--env', 'live', '--confirm', 'live')
      expect(told.exitCode).to.equal(8)
    })
  })
})
