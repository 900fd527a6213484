import { expect } from 'chai'
import { type Folder, openFolder } from '../../support/batch-file.js'
import { onEachDatabase, type Place } from '../../support/databases.js'
import { payctl } from './payctl.js'

onEachDatabase((open) => {
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

    it('says what is wrong in the words of its file, in a dry run, too', async () => {
      const mapped = ['--map', 'Full name=name', '--map', 'Mail=email']
      const { exitCode, stderr } = await run(...mapped, '--dry-run')
      expect([exitCode, stderr]).to.deep.equal([8, stderr])
      expect(stderr).to.contain('row 3, Mail: Must be')
      expect((await run(...mapped)).exitCode).to.equal(8)
    })

    it('says once in a dry run which rows cannot be read', async () => {
      folder.write('refunds.csv', 'payment,amount\ntxn_1,lots\ntxn_2,5\n')
      const words = ['batch', 'run', folder.path('refunds.csv'), '--as', 'refund', '--dry-run']
      const { stderr } = await payctl(place, words)
      expect(stderr.match(/row \d.*/g)).to.deep.equal([
        'row 2, amount: Expected an amount such as 12.50, but received: lots',
        'row 3, payment: Not found',
      ])
    })

    it('that does not exist may be one of a name like it', async () => {
      for (const command of ['results', 'resume']) {
        const { exitCode, stderr } = await payctl(place, ['batch', command, 'people.cvs'])
        expect([exitCode, stderr]).to.deep.equal([
          2,
          'error: There is no batch people.cvs; did you mean people.csv? payctl batch results lists all\n',
        ])
      }
    })
  })
})
