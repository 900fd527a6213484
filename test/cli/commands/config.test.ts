import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openCore, type TestCore } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { payctl } from './payctl.js'

onSqlite((open) => {
  let core: TestCore
  const run = async (...words: string[]) => await payctl(core.place, words)
  const out = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await run(...words)
    expect(exitCode, stderr).to.equal(0)
    return stdout
  }
  const said = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await run(...words)
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
    return stderr
  }
  const file = () => join(core.place.home, 'settings', 'config.json')

  describe('payctl config', () => {
    before(async () => {
      core = await openCore(open)
    })

    it('keeps settings, which a flag or a variable overrides, and leaves profiles unchanged', async () => {
      await out('profiles', 'add', 'desk', '--home', core.place.home)
      const profiles = readFileSync(join(core.place.home, 'settings', 'profiles.json'), 'utf8')
      expect(await out('config', 'get', 'output')).to.equal('table\n')
      await out('config', 'set', 'output', 'json')
      expect(JSON.parse(await out('customers', 'list'))).to.deep.equal({ object: 'list', values: [] })
      expect(await out('customers', 'list', '-o', 'csv')).to.match(/^id,/)
      const { stdout } = await payctl(core.place, ['customers', 'list'], {
        variables: { PAYCTL_OUTPUT: 'csv' },
      })
      expect(stdout).to.match(/^id,/)
      const listed = await payctl(core.place, ['config', 'list', '--json'], {
        variables: { PAYCTL_OUTPUT: 'csv' },
      })
      expect(JSON.parse(listed.stdout).values[0]).to.include({
        name: 'output',
        value: 'csv',
        from: 'PAYCTL_OUTPUT',
      })
      expect(JSON.parse(await out('config', 'list')).values[0]).to.include({ value: 'json', from: 'config' })
      await out('config', 'unset', 'output')
      expect(await out('config', 'get', 'output')).to.equal('table\n')
      expect(readFileSync(join(core.place.home, 'settings', 'profiles.json'), 'utf8')).to.equal(profiles)
      expect(statSync(file()).mode & 0o777).to.equal(0o600)
    })

    it('stores switches given as on or false, and shows them as yes or no', async () => {
      await out('config', 'set', 'utc', 'on')
      expect(await out('config', 'get', 'utc')).to.equal('yes\n')
      await out('config', 'set', 'utc', 'false')
      expect(await out('config', 'get', 'utc')).to.equal('no\n')
      expect(JSON.parse(await out('config', 'list', '--json')).values[1]).to.include({
        value: 'no',
        from: 'config',
      })
    })

    it('suggests a similar setting and stores no unknown setting', async () => {
      const before = readFileSync(file(), 'utf8')
      expect(await said('config', 'set', 'ouput', 'csv')).to.contain(
        'There is no setting ouput; did you mean output?',
      )
      expect(await said('config', 'set', 'output', 'jsn')).to.contain('received: jsn; did you mean json?')
      expect(await said('config', 'get', 'server')).to.contain('there are output, utc,')
      expect(await said('config', 'get', 'alias.none')).to.contain('There is no alias none')
      expect(await said('config', 'set', 'alias.transactions', 'customers list')).to.contain(
        'is there already',
      )
      expect(await said('config', 'set', 'alias.txn', 'customers list')).to.contain('is there already')
      expect(await said('config', 'set', 'alias.x y', 'customers list')).to.contain('Expected one word')
      expect(await said('config', 'set', 'alias.x', 'custmers list')).to.contain(
        'custmers list is no command',
      )
      expect(readFileSync(file(), 'utf8')).to.equal(before)
    })

    it('explains what to do about a damaged file, and about a file that others can read', async () => {
      const text = readFileSync(file(), 'utf8')
      writeFileSync(file(), '{"settings":{"output":"xml"},"aliases":{}}')
      expect(await said('customers', 'list')).to.contain('payctl config unset output removes it')
      writeFileSync(file(), '{"settings":')
      expect(await said('customers', 'list')).to.contain(`The file ${file()} is damaged`)
      writeFileSync(file(), text)
      chmodSync(file(), 0o666)
      expect(await said('customers', 'list')).to.contain(`chmod 600 ${file()}`)
      chmodSync(file(), 0o600)
    })

    it('reports if a setting cannot be stored or read, and where', async () => {
      const nowhere = { PAYCTL_HOME: file() }
      for (const words of [
        ['config', 'set', 'utc', 'yes'],
        ['profiles', 'add', 'desk', '--home', '/srv'],
      ]) {
        const { exitCode, stderr } = await payctl(core.place, words, { variables: nowhere })
        expect([exitCode, stderr]).to.deep.equal([2, stderr])
        expect(stderr).to.match(
          /The file .*\.json cannot be written \(ENOTDIR\); name another folder in PAYCTL_HOME/,
        )
      }
      const other = join(core.place.home, 'other')
      const profiles = join(other, 'settings', 'profiles.json')
      mkdirSync(profiles, { recursive: true, mode: 0o700 })
      const variables = { PAYCTL_HOME: other }
      const { exitCode, stderr } = await payctl(core.place, ['customers', 'list'], { variables })
      expect([exitCode, stderr]).to.deep.equal([2, `error: The file ${profiles} cannot be read (EISDIR)\n`])
    })
  })

  describe('aliases', () => {
    before(async () => {
      core = await openCore(open)
      await core.ok('POST', '/customers', { name: 'Ada' })
    })

    it('accept the singular or the id prefix of a topic, and short verbs', async () => {
      const names = ['--columns', 'name', '-o', 'csv']
      for (const words of [
        ['customer', 'list'],
        ['customers', 'ls'],
        ['customer', 'ls'],
        ['acct', 'ls'],
      ])
        expect(await out(...words, ...names), words.join(' ')).to.equal('name\nAda\n')
      expect(await out('txn', 'ls', '--count')).to.equal('0\n')
      expect(await out('help', 'txn', 'ls')).to.contain('payctl transactions list')
      expect(await out('pm', 'ls', '--help')).to.contain('payctl payment-methods list')
      expect(await said('txm', 'ls')).to.contain('There is no command')
    })

    it('defined by the operator expand to a command with flags, and accept more flags', async () => {
      await out('config', 'set', 'alias.people', "acct ls --where 'name=?*a*' --columns name")
      expect(await out('people', '-o', 'csv')).to.equal('name\nAda\n')
      expect(await out('config', 'get', 'alias.people')).to.contain('acct ls')
      expect(await out('people', '--help')).to.contain('payctl accounts list')
      await out('config', 'unset', 'alias.people')
      expect(await said('people')).to.contain('There is no command people')
    })
  })
})
