import { userInfo } from 'node:os'
import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import { onDatabases, onSqlite, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type Server, startServer } from '../../support/server-process.js'
import { payctl, type Typed } from './payctl.js'
import { atTerminals } from './wizards/terminals.js'

const { username, uid } = userInfo()
const OWNER = ['--name', 'Ada Park', '--email', 'ada@example.com', '--role', 'owner']

onDatabases((open) => {
  describe('payctl console', () => {
    let place: Place
    before(async () => {
      place = await open.migrated()
    })
    const variables = { PAYCTL_PORT: '4999' }
    const run = (...words: string[]) => payctl(place, words, { variables })

    it('explains in one sentence how to create the first operator if it cannot prompt', async () => {
      const { exitCode, stdout, stderr } = await run('console')
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
      expect(stderr).to.equal(
        `error: There is no operator yet: payctl operators add --name … --email … --role owner --login ${username}\n`,
      )
      const live = await run('console', '--env', 'live')
      expect(live.stderr).to.contain(
        `error: There is no operator yet: payctl operators add --name … --email … --role owner --login ${username} --env live\n`,
      )
    })

    it('prints an address that signs in the named operator, with its expiry', async () => {
      await run('operators', 'add', ...OWNER)
      const { exitCode, stdout, stderr } = await run('console', '--as', 'ada@example.com', '--json')
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
      const { url, expires_at, ...others } = objectOf(JSON.parse(stdout))
      expect(others).to.deep.equal({})
      expect(url).to.match(/^http:\/\/127\.0\.0\.1:4999\/console\/enter\/test_console_entry_\w{43}$/)
      expect(expires_at).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    })

    it('asks an owner without an operator for the name of an operator, and refuses an unknown name', async () => {
      const nameless = await run('console')
      expect(nameless).to.include({ exitCode: 2, stdout: '' })
      expect(nameless.stderr).to.equal(
        'error: Say who enters: payctl console --as ada@example.com; payctl operators list shows all\n',
      )
      const unknown = await run('console', '--as', 'eve@example.com')
      expect(unknown).to.include({ exitCode: 3, stdout: '' })
      expect(unknown.stderr).to.contain('payctl operators list shows them, payctl operators add makes one')
      await run('operators', 'disable', 'ada@example.com')
      const disabled = await run('console', '--as', 'ada@example.com')
      expect(disabled.stderr).to.contain('is disabled: payctl operators enable ada@example.com')
      await run('operators', 'enable', 'ada@example.com')
    })

    it('signs in the operator of the login unless another operator is named', async () => {
      await run('operators', 'update', 'ada@example.com', '--login', username, '--role', 'owner')
      const { exitCode, stdout, stderr } = await run('console')
      expect(exitCode, stderr).to.equal(0)
      expect(stdout).to.match(/^http:\/\/127\.0\.0\.1:4999\/console\/enter\/\w+\n$/)
      expect(stderr).to.equal(
        'No console answers at http://127.0.0.1:4999; start payctl serve --console, or check that its name (DNS) and its proxy lead to it.\n',
      )
    })

    it('signs in only its own operator for a login narrowed to an account', async () => {
      const shop = await run('processing-accounts', 'create', '--name', 'Corner Books', '--json')
      const id = String(objectOf(JSON.parse(shop.stdout)).id)
      await run(
        'operators',
        'add',
        '--name',
        'Bo',
        '--email',
        'bo@example.com',
        '--role',
        'owner',
        '--login',
        'daemon',
      )
      const own = ['--role', 'cashier', '--processing', id, '--login', username]
      expect(await run('operators', 'update', 'ada@example.com', ...own)).to.include({ exitCode: 0 })
      const { exitCode, stdout, stderr } = await run('console')
      expect(exitCode, stderr).to.equal(0)
      expect(stdout).to.match(/\/console\/enter\/test_console_entry_\w{43}\n$/)
      const foreign = await run('console', '--as', 'bo@example.com')
      expect(foreign).to.include({ exitCode: 4, stdout: '' })
      expect(foreign.stderr).to.contain('Only an owner lets somebody else into the console')
    })
  })
})

onSqlite((open) => {
  describe('payctl serve --console', () => {
    let place: Place
    let server: Server
    before(async () => {
      place = await open.migrated()
      await payctl(place, ['operators', 'add', ...OWNER])
      server = await startServer(place, ['--console'])
    })
    after(() => server.stop())
    const run = (words: string, typed: Typed = {}) =>
      payctl(place, words.split(' '), { variables: { PAYCTL_PUBLIC_URL: server.address }, ...typed })

    it('serves the page that a printed code opens', async () => {
      const { stdout, stderr } = await run('console --as ada@example.com')
      expect(stderr).to.equal('')
      expect(stdout.startsWith(`${server.address}/console/enter/`)).to.equal(true)
      const page = await fetch(stdout.trim())
      expect(page.status).to.equal(200)
      expect(await page.text()).to.contain('<form')
    })

    it('makes payctl open print the console address of an object, and the page of a payment link', async () => {
      const made = async (words: string, input: string) =>
        objectOf(
          JSON.parse((await payctl(place, [...words.split(' '), '--data', '-', '--json'], { input })).stdout),
        )
      const shop = await made('processing-accounts create', JSON.stringify(processingAccount()))
      const link = await made(
        'payment-links create',
        JSON.stringify({ amount: 5, processing_id: shop.id ?? null }),
      )
      const path = `/console/test/processing_accounts/${shop.id}`
      expect(await run(`open ${shop.id}`)).to.include({ exitCode: 0, stdout: `${server.address}${path}\n` })
      expect((await run(`open ${link.id}`)).stdout).to.equal(`${link.url}\n`)
      expect(await run('open acct_0V8cNone')).to.include({ exitCode: 5, stdout: '' })
    })
  })

  it('payctl serve --console says at its start that nobody can sign in yet, and by which command one can', async () => {
    const place = await open.migrated()
    const said = async (...flags: string[]) => {
      const server = await startServer(place, flags)
      await server.stop()
      return await server.ended
    }
    expect(await said('--console')).to.equal(
      'Nobody can sign in to the console yet; in another terminal, payctl console makes you the first operator, and opens it.\n',
    )
    expect(await said()).to.equal('')
    await payctl(place, ['operators', 'add', ...OWNER])
    expect(await said('--console')).to.equal('')
  })

  it('payctl serve has no console by default, and never serves it unencrypted to other machines', async () => {
    const place = await open.migrated()
    const server = await startServer(place)
    try {
      expect((await fetch(`${server.address}/console`, { redirect: 'manual' })).status).to.equal(401)
    } finally {
      await server.stop()
    }
    const refused = await payctl(place, ['serve', '--console', '--host', '0.0.0.0', '--port', '0'])
    expect(refused.exitCode).to.not.equal(0)
    expect(refused.stderr).to.contain('--behind-tls-proxy')
  })
})

atTerminals('payctl console at a terminal', (open, place) => {
  it('creates the first operator, an owner with this login, and prints the address', async () => {
    const terminal = await open({ variables: { PAYCTL_PORT: '4999' } })
    await terminal.enter('payctl console')
    await terminal.sees('? their name')
    await terminal.enter('Ada Park')
    await terminal.sees('? e-mail')
    await terminal.enter('ada@example.com')
    await terminal.sees(/\/console\/enter\/test_console_entry_/)
    await terminal.sees('No console answers')
    const shown = await payctl(place(), ['operators', 'show', 'ada@example.com', '--json'])
    expect(JSON.parse(shown.stdout)).to.include({ role: 'owner', login: username, uid })
    const listed = await payctl(place(), ['whoami', '--json'])
    expect(JSON.parse(listed.stdout).operator.value).to.equal('ada@example.com')
  })
})
