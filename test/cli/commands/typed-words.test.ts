import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { payctl } from './payctl.js'

const RUN = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))

onDatabases((open) => {
  describe('words of a command line', () => {
    let core: TestCore
    let processing: string
    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
    })
    const run = async (words: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
      await payctl(core.place, words, { variables })
    const jq = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await run(words)
      expect(exitCode, stderr).to.equal(0)
      return stdout
    }

    it('are a value after =, even if they begin with a dash or look like a flag', async () => {
      const dry = ['--dry-run', '--jq', '.name']
      for (const value of ['--yes', '-y', '--name', '--', '-5', '--json', '-o=x'])
        expect(await jq('customers', 'create', `--name=${value}`, ...dry), value).to.equal(`${value}\n`)
      const refused = await run(['customers', 'create', '--name', '--yes', '--dry-run'])
      expect(refused.stderr).to.include('Flag --name expects a value')
    })

    it('from a variable are reported under its name if they are invalid', async () => {
      const cases: readonly (readonly [Record<string, string>, string])[] = [
        [{ PAYCTL_OUTPUT: 'xml' }, 'PAYCTL_OUTPUT=xml'],
        [{ PAYCTL_ENV: 'prod' }, 'PAYCTL_ENV=prod'],
        [{ PAYCTL_SERVER: 'pay' }, 'PAYCTL_SERVER: Expected an address'],
        [{ PAYCTL_PUBLIC_URL: 'pay' }, 'PAYCTL_PUBLIC_URL: Expected an address'],
        [{ PAYCTL_CUSTOMERS_LIST_LIMIT: 'few' }, 'PAYCTL_CUSTOMERS_LIST_LIMIT: Expected an integer'],
      ]
      for (const [variables, named] of cases) {
        const { exitCode, stderr } = await run(['customers', 'list'], variables)
        expect({ exitCode, stderr: stderr.includes(named) }, stderr).to.deep.equal({
          exitCode: 2,
          stderr: true,
        })
      }
      const typed = await run(['customers', 'list', '--output', 'xml'], { PAYCTL_OUTPUT: 'json' })
      expect(typed.stderr).to.include('--output=xml')
    })

    it('name a file after @ in a field of payctl api', async () => {
      const file = join(core.place.home, 'name.txt')
      writeFileSync(file, 'hello\n')
      const post = ['api', 'post', '/customers', '--dry-run', '--jq', '.name', '-d']
      expect(await jq(...post, `name=@${file}`)).to.equal('hello\n')
      expect(await jq(...post, 'name=@@ada')).to.equal('@ada\n')
      const missing = await run([...post, 'name=@missing.txt'])
      expect(missing.exitCode).to.equal(2)
      expect(missing.stderr).to.include('There is no file missing.txt').and.include('name=@@missing.txt')
    })

    it('may be a forwarding address with a query', async () => {
      const { stderr } = await run(['webhooks', 'listen', '--forward-to', 'ftp://x?task=hook'])
      expect(stderr).to.include('Expected an address')
    })

    it('with --dry-run print on stderr, above the table, that no object was changed', async () => {
      const words = ['customers', 'create', '--name', 'Ada', '--dry-run']
      const { stdout, stderr } = await run(words)
      expect(stderr).to.equal('Dry run: nothing was done.\n')
      expect(stdout.split('\n')[0]).to.equal('Dry run: nothing was done.')
      const json = await run([...words, '--json'])
      expect(JSON.parse(json.stdout)).to.include({ name: 'Ada' })
      const real = await run(['customers', 'create', '--name', 'Ada'])
      expect(real.stdout + real.stderr).to.not.include('Dry run')
    })

    it('print what was written if a jq expression fails on the answer', async () => {
      const { exitCode, stdout, stderr } = await run([
        'customers',
        'create',
        '--name',
        'Ada',
        '--jq',
        '.name.x',
      ])
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
      expect(JSON.parse(stderr).error_description).to.match(
        /this was done, do not repeat it: customer acct_\w+/,
      )
    })

    it('print on stderr what was written if the answer cannot be printed', async () => {
      const full = openSync('/dev/full', 'w')
      const pay = async (...more: string[]) => {
        const words = ['transactions', 'pay', '--amount', '4.44', '--processing', processing, ...more]
        const env = {
          ...process.env,
          PAYCTL_HOME: core.place.home,
          PAYCTL_CARD_NUMBER: '4242424242424242',
          ...(core.place.databaseUrl && { PAYCTL_DATABASE_URL: core.place.databaseUrl }),
        }
        const child = spawn(process.execPath, [RUN, ...words, '--expiry', '12/39'], {
          env,
          stdio: ['ignore', full, 'pipe'],
        })
        const [stderr, [exitCode]] = await Promise.all([
          child.stderr ? text(child.stderr) : '',
          once(child, 'close'),
        ])
        return { stderr, exitCode }
      }
      try {
        const { stderr, exitCode } = await pay()
        expect(exitCode).to.equal(1)
        expect(stderr).to.match(
          /^error: Done, but the answer could not be written \(ENOSPC\): payment txn_\w+ of 4\.44 \(processed\)\. Do not repeat/,
        )
        const json = await pay('--json', '--description', 'again')
        expect(JSON.parse(json.stderr)).to.include({ error_type: 'OutputNotWritten', exit_code: 1 })
        expect(JSON.parse(json.stderr).details.done[0]).to.match(/^payment txn_/)
      } finally {
        closeSync(full)
      }
      expect(
        await jq(
          'transactions',
          'list',
          '--where',
          'amount=4.44',
          '--count',
          '--jq',
          '.values[0]["count(*)"]',
        ),
      ).to.be.a('string')
    })
  })
})
