import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import { payctl, type Typed } from './payctl.js'

const KEY = `test_secret_key_${'a1B2'.repeat(11)}`
const SERVER = 'http://127.0.0.1:9'

describe('payctl profiles', () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'payctl-profiles-'))
  })
  afterEach(() => rmSync(home, { recursive: true }))

  const run = (words: string, typed?: Typed) => payctl({ home }, words.split(' '), typed)
  const json = async (words: string, typed?: Typed) => {
    const { exitCode, stdout, stderr } = await run(`${words} --json`, typed)
    expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
    return objectOf(JSON.parse(stdout))
  }
  const kept = () => join(home, 'settings', 'profiles.json')

  it('store a server and its key, readable by their owner only, and hide the key afterwards', async () => {
    const made = await json(`profiles add shop --server ${SERVER} --key-file -`, { input: `${KEY}\n` })
    expect(made).to.include({
      name: 'shop',
      works_on: SERVER,
      key: 'test_secret_key_a1B…a1B2',
      environment: 'test',
    })
    expect(statSync(kept()).mode & 0o777).to.equal(0o600)
    expect(statSync(join(home, 'settings')).mode & 0o777).to.equal(0o700)
    expect(readFileSync(kept(), 'utf8')).to.include(KEY)
    expect(await json('whoami --profile shop')).to.deep.equal({
      profile: { value: 'shop', from: '--profile' },
      environment: { value: 'test', from: 'key (profile shop)' },
      server: { value: SERVER, from: 'profile shop' },
      key: { value: 'test_secret_key_a1B…a1B2', from: 'profile shop' },
    })
  })

  it('can be selected, listed and removed', async () => {
    await json('profiles add desk --home /srv/desk --env live --max-amount 500 --verbs refund,void')
    await json('profiles add other --home /srv/other')
    expect(await run('profiles use desk')).to.include({ exitCode: 0, stdout: '' })
    const { values } = await json('profiles list')
    expect(values).to.deep.equal([
      {
        name: 'desk',
        current: true,
        works_on: '/srv/desk',
        key: null,
        environment: 'live',
        max_amount: '500.00',
        verbs: 'void, refund',
      },
      {
        name: 'other',
        current: false,
        works_on: '/srv/other',
        key: null,
        environment: null,
        max_amount: null,
        verbs: null,
      },
    ])
    expect(await json('whoami')).to.deep.equal({
      profile: { value: 'desk', from: 'profiles use' },
      environment: { value: 'live', from: 'profile desk' },
      database: { value: 'SQLite in the home folder', from: 'default' },
      home: { value: '/srv/desk', from: 'profile desk' },
      max_amount: { value: '500.00', from: 'profile desk' },
      verbs: { value: 'void, refund', from: 'profile desk' },
    })
    await run('profiles remove desk')
    expect(await json('whoami')).to.not.have.property('profile')
    expect((await run('profiles remove desk')).stderr).to.equal(
      'error: There is no profile desk; see payctl profiles list\n',
    )
  })

  it('can be changed while the selected profile does not exist', async () => {
    expect(await run('whoami --profile nowhere')).to.include({ exitCode: 2, stdout: '' })
    expect(await run('profiles list', { variables: { PAYCTL_PROFILE: 'nowhere' } })).to.include({
      exitCode: 0,
    })
  })

  it('limit requests that move money before the request is sent', async () => {
    await json(`profiles add desk --home ${home} --max-amount 50 --verbs pay`)
    const pay = 'transactions pay --card 4242424242424242 --expiry 12/39 --profile desk --amount'
    expect(await json(`${pay} 50`)).to.include({ amount: 50 })
    const refused = await run(`${pay} 50.01`)
    expect({ ...refused, stderr: refused.stderr.replace(/^Warning: .*\n/, '') }).to.deep.equal({
      exitCode: 4,
      stdout: '',
      stderr: 'error: The profile desk allows at most 50.00, and this is 50.01\n',
    })
    expect(await run('transactions void txn_1 --profile desk')).to.include({
      exitCode: 4,
      stderr: 'error: The profile desk does not allow void; it allows pay\n',
    })
  })

  it('appear in the live banner', async () => {
    await json(`profiles add desk --home ${home} --env live`)
    const { stderr } = await run('customers list --profile desk')
    expect(stderr).to.equal(
      `LIVE profile desk, home ${home}, database SQLite in the home folder\nNothing found.\n`,
    )
  })

  const refusals: readonly (readonly [words: string, line: RegExp])[] = [
    [`profiles add shop --server ${SERVER}`, /Missing --key-file - \(or PAYCTL_KEY\)/],
    ['profiles add shop --server ftp://x', /Expected an address such as/],
    ['profiles add shop --database-url postgres://a:secret@b/c', /^(?!.*secret).*Expected --database-url -/],
    ['profiles add default --home /x', /Expected a name/],
    ['profiles add __proto__ --home /x', /Expected a name/],
    ['profiles add shop --verbs pay,steal', /Expected some of pay, authorize/],
    ['profiles use nowhere', /There is no profile nowhere/],
    [`customers list --server ${SERVER}`, /Missing the key for http:\/\/127\.0\.0\.1:9/],
    [`serve --server ${SERVER}`, /payctl serve works on a database of this machine, but --server names/],
  ]
  for (const [words, line] of refusals)
    it(`are refused: ${words}`, async () => {
      const { exitCode, stdout, stderr } = await run(words)
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
      expect(stderr).to.match(line)
    })

  it('are refused if their file is damaged or readable by others', async () => {
    await json(`profiles add desk --home ${home}`)
    chmodSync(kept(), 0o644)
    expect((await run('customers list')).stderr).to.include(`run: chmod 600 ${kept()}`)
    chmodSync(kept(), 0o600)
    writeFileSync(kept(), '{"profiles":{"desk":{"verbs":["steal"]}}}')
    expect((await run('customers list')).stderr).to.include('is damaged')
  })

  it('send no live key unencrypted', async () => {
    const variables = { PAYCTL_KEY: `secret_key_${'a'.repeat(43)}` }
    const { exitCode, stderr } = await run('customers list --server http://pay.example.com', { variables })
    expect(exitCode).to.equal(2)
    expect(stderr).to.include('A live key does not travel unencrypted')
  })
})
