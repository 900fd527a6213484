import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openCore, type TestCore } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { payctl } from './payctl.js'

onSqlite((open) => {
  describe('--jq', () => {
    let core: TestCore
    const run = async (...words: string[]) => await payctl(core.place, words)
    const out = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await run(...words)
      expect(stderr).to.equal('')
      expect(exitCode).to.equal(0)
      return stdout
    }

    before(async () => {
      core = await openCore(open)
      for (const name of ['Ada', 'Grace "Bug" Hopper', 'Ken'])
        await core.ok('POST', '/customers', { name, email: `${name.slice(0, 3)}@example.com` })
    })

    it('selects from the output of --json: texts unquoted, other values as one line of JSON', async () => {
      expect(await out('customers', 'list', '--order-by', 'name', '--jq', '.values[].name')).to.equal(
        'Ada\nGrace "Bug" Hopper\nKen\n',
      )
      expect(
        await out('customers', 'list', '--order-by', 'name', '--jq', '.values[0] | {name, email}'),
      ).to.equal('{"name":"Ada","email":"Ada@example.com"}\n')
      expect(await out('customers', 'list', '--jq', '.values | length')).to.equal('3\n')
      expect(await out('customers', 'list', '--jq', '.values[] | select(.name == "Nobody")')).to.equal('')
      expect(await out('customers', 'create', '--name', 'Linus', '--jq', '.id')).to.match(/^acct_\w{22}\n$/)
      expect(await out('whoami', '--jq', '.environment.value')).to.equal('test\n')
      expect(await out('help', 'exit-codes', '--jq', '.values | length')).to.equal('11\n')
      expect(await out('status', '--jq', '.attention')).to.equal('0\n')
      expect(await out('api', 'GET', '/customers?limit=2', '--jq', '.values | length')).to.equal('2\n')
    })

    it('applies to all pages as one list, and with ndjson to each object', async () => {
      const all = ['customers', 'list', '--all', '--order-by', 'name', '--where', 'name=?*a*']
      expect(await out(...all, '--jq', '[.values[].name] | last')).to.equal('Grace "Bug" Hopper\n')
      expect(await out(...all, '-o', 'ndjson', '--jq', '.name')).to.equal('Ada\nGrace "Bug" Hopper\n')
    })

    it('refuses an invalid expression before any request', async () => {
      const { exitCode, stdout, stderr } = await run(
        'customers',
        'create',
        '--name',
        'Never',
        '--jq',
        '.values[',
      )
      expect(exitCode).to.equal(2)
      expect(stdout).to.equal('')
      expect(JSON.parse(stderr)).to.include({
        error_type: 'Usage',
        error_description: '--jq: syntax error, unexpected end of file (line 1, column 8)',
      })
      expect(await out('customers', 'list', '--where', 'name=Never', '--count')).to.equal('0\n')
      const unknown = await run('customers', 'list', '--jq', 'nosuch')
      expect(JSON.parse(unknown.stderr).error_description).to.equal(
        '--jq: nosuch/0 is not defined (line 1, column 1)',
      )
    })

    it('prints no output if the expression fails on the value', async () => {
      const { exitCode, stdout, stderr } = await run('customers', 'list', '--jq', '.values.name')
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
      expect(JSON.parse(stderr).error_description).to.equal(
        '--jq: Cannot index array with string ("name"); what was done before stays done',
      )
      const file = join(core.place.home, 'names.json')
      expect(
        (await run('customers', 'list', '--output-file', file, '--jq', '.values.name')).exitCode,
      ).to.equal(2)
      expect(existsSync(file)).to.equal(false)
      await out('customers', 'list', '--output-file', file, '--jq', '.values | length')
      expect(readFileSync(file, 'utf8')).to.equal('4\n')
    })

    it('cannot read files or variables', async () => {
      expect(await out('whoami', '--jq', '$ENV.PAYCTL_HOME')).to.equal('null\n')
    })
  })
})
