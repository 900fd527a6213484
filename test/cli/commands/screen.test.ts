import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { openCore } from '../../support/core.js'
import { onSqlite, type Place } from '../../support/databases.js'
import { makeProcessing, pay } from '../../support/examples.js'
import { payctl } from './payctl.js'

const RUN = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))

/** More rows than a terminal of 24 lines shows. */
const MANY = 30
const PAGER = 'sed s/^/paged:/'

onSqlite((open) => {
  describe('the output of a command on a terminal', () => {
    let place: Place
    before(async () => {
      const core = await openCore(open)
      place = core.place
      const values = Array.from({ length: MANY }, (_, index) => ({ name: `Customer ${index} 日本 🙂` }))
      await core.ok('POST', '/customers', { object: 'list', values })
      await pay(core, await makeProcessing(core), 5)
    })

    /** Runs a command on a terminal with 80 columns and 24 lines, which `script` emulates; returns its output. */
    const screen = async (words: string, variables: Readonly<Record<string, string>> = {}) => {
      const env = { PATH: process.env['PATH'], PAYCTL_HOME: place.home, TERM: 'xterm', PAGER, ...variables }
      const command = `stty rows 24 cols 80; '${process.execPath}' '${RUN}' ${words}`
      const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], { env })
      return stdout.replaceAll('\r\n', '\n')
    }

    it('is shown completely in the pager if it is long', async () => {
      const lines = (await screen('customers list --columns id,name')).trimEnd().split('\n')
      expect(lines.filter((line) => line.startsWith('paged:'))).to.have.lengthOf(MANY + 1)
      expect(lines).to.have.lengthOf(MANY + 1)
    })

    it('is printed directly for a write, and shown in the pager for long help', async () => {
      const created = await screen('customers create --name Ada', { PAYCTL_UTC: '1' })
      expect(created).to.include('acct_').and.not.include('paged:')
      const many = Array.from({ length: MANY }, (_, index) => ({ name: `More ${index}` }))
      const file = join(place.home, 'many.json')
      writeFileSync(file, JSON.stringify(many))
      expect(await screen(`customers create --data ${file}`))
        .to.include('More 29')
        .and.not.include('paged:')
      expect(await screen('customers create --help')).to.include('paged:')
      expect(await screen('customers create --help --no-pager')).to.not.include('paged:')
    })

    it('is printed directly if it is short, or with --no-pager', async () => {
      for (const [words, variables] of [
        ['customers list --limit 3', {}],
        ['customers list --no-pager', {}],
        ['customers list', { PAGER: '' }],
        ['customers list', { PAYCTL_NO_PAGER: '1' }],
        ['customers list', { PAGER: 'no-such-program' }],
      ] as const) {
        const shown = await screen(words, variables)
        expect(shown, words)
          .to.match(/Customer|More/)
          .and.not.include('paged:')
      }
    })

    it('has coloured statuses unless colours are off', async () => {
      expect(await screen('transactions list')).to.include('\u001b[32mprocessed\u001b[39m')
      for (const [words, variables] of [
        ['transactions list --no-color', {}],
        ['transactions list', { NO_COLOR: '1' }],
        ['transactions list', { TERM: 'dumb' }],
      ] as const)
        expect(await screen(words, variables))
          .to.include('processed')
          .and.not.include('\u001b')
      const forced = await payctl(place, ['transactions', 'list'], { variables: { FORCE_COLOR: '1' } })
      expect(forced.stdout).to.include('\u001b[32mprocessed\u001b[39m')
    })

    it('is followed by an error if it could not be written', async () => {
      const command = `'${process.execPath}' '${RUN}' customers list --json > /dev/full`
      const env = { PATH: process.env['PATH'], PAYCTL_HOME: place.home }
      const failed = await promisify(execFile)('sh', ['-c', command], { env }).catch(
        (error: unknown) => error,
      )
      expect(failed).to.include({ code: 1 })
      expect(failed)
        .to.have.property('stderr')
        .that.matches(/^\{"object":"error",.*ENOSPC.*"exit_code":1\}\n$/)
    })
  })
})
