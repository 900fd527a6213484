import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { contents } from '../../support/files.js'
import { type Server, startServer } from '../../support/server-process.js'
import { type Outcome, payctl, type Typed } from './payctl.js'

const ADDRESS = 'https://pay.example.com'

onDatabases((open) => {
  describe('commands on a remote service', () => {
    let place: Place
    let server: Server
    let variables: Record<string, string>
    before(async () => {
      place = await open.place()
      const made = await payctl(place, ['keys', 'create', '--manage', '--json'])
      const key = String(objectOf(JSON.parse(made.stdout)).secret_key)
      server = await startServer(place, ['--public-url', ADDRESS])
      open.atEnd(async () => {
        await server.stop()
      })
      variables = {
        PAYCTL_SERVER: server.address,
        PAYCTL_KEY: key,
        PAYCTL_HOME: '/nowhere',
        PAYCTL_RETRIES: '0',
      }
    })

    const here = (words: readonly string[], typed: Typed = {}) =>
      payctl(place, words, { ...typed, variables: { PAYCTL_PUBLIC_URL: ADDRESS, ...typed.variables } })
    const there = (words: readonly string[], typed: Typed = {}) =>
      payctl({ home: '/nowhere' }, words, { ...typed, variables: { ...variables, ...typed.variables } })
    const both = async (words: string, typed?: Typed): Promise<Outcome> => {
      const [local, remote] = await Promise.all([
        here(words.split(' '), typed),
        there(words.split(' '), typed),
      ])
      expect(remote, words).to.deep.equal(local)
      return remote
    }
    const json = async (words: string, typed?: Typed): Promise<JsonObject> => {
      const { exitCode, stdout, stderr } = await there([...words.split(' '), '--json'], typed)
      expect({ exitCode, stderr }, words).to.deep.equal({ exitCode: 0, stderr: '' })
      return objectOf(JSON.parse(stdout))
    }

    it('answer byte for byte like local commands', async () => {
      const input = JSON.stringify({ ...processingAccount(), name: 'Müller & Söhne' })
      const processing = await json('processing-accounts create --data -', { input })
      const customer = await json('customers create --name Ada --attrs {"10":"z","a":[1.50]}')
      const card = '--card 4242424242424242 --expiry 12/39'
      const payment = await json(`transactions pay --amount 29.99 ${card} --customer ${customer.id}`)
      await json(`transactions refund ${payment.id} --amount 9.99`)
      const invoice = await json(
        `invoices create --processing-id ${processing.id} --customer-id ${customer.id}`,
      )
      for (const words of [
        `transactions get ${payment.id}`,
        `transactions get ${payment.id} --json`,
        'transactions list --json --fields *,ledger,customer',
        'transactions list -o table --where amount=>5 --order-by -amount',
        'transactions list --where amount=>5 --count',
        'transactions list --limit 1',
        'customers list --where name=Ada|Bob --json',
        `processing-accounts get ${processing.id} --json`,
        `invoices show ${invoice.id}`,
        `invoices show ${invoice.id} --html`,
        `invoices get ${invoice.id} --json --fields *,customer,items`,
        `transactions explain ${payment.id}`,
        `transactions ledger ${payment.id}`,
        'verify --json',
        'maintenance status',
        'clock show --fields offset',
        'funding plan --fields transactions,deposits --json',
        'keys list --fields hint,manage',
        'api GET /transactions?fields=sum(amount),type&group_by=type',
      ])
        expect((await both(words)).exitCode, words).to.equal(0)
    })

    it('fail byte for byte like local commands', async () => {
      const codes: readonly (readonly [words: string, exitCode: number])[] = [
        ['transactions get txn_nowhere', 5],
        ['transactions get no/where --json', 5],
        ['transactions get no%2Fwhere --json', 5],
        ['transactions list --where nothing=1 --json', 3],
        ['customers create --name Ada --email nowhere', 3],
        ['transactions create --type payment --amount 0 --json', 3],
        ['transactions refund txn_nowhere', 5],
        ['api PUT /nowhere --json', 5],
        ['api DELETE /admin/maintenance', 3],
        ['transactions pay --amount 12.505', 2],
      ]
      for (const [words, exitCode] of codes) expect((await both(words)).exitCode, words).to.equal(exitCode)
      const declined = 'transactions pay --amount 5 --card 4111111111119903 --expiry 12/39'.split(' ')
      const outcomes = await Promise.all([here(declined), there(declined)])
      const [local, remote] = outcomes.map(({ stderr, ...rest }) => ({
        ...rest,
        stderr: stderr.replace(/txn_\w{22}/, 'ID'),
      }))
      expect(remote).to.deep.equal(local).and.to.include({ exitCode: 7, stdout: '' })
    })

    it('attach a file that is larger than the limit of JSON', async () => {
      const input = JSON.stringify(processingAccount())
      const { id: processing } = await json('processing-accounts create --data -', { input })
      const { id: customer } = await json('customers create --name Ada')
      const invoice = await json(`invoices create --processing-id ${processing} --customer-id ${customer}`)
      const path = join(place.home, 'Ünter"lagen.pdf')
      const bytes = Buffer.concat([contents.pdf, Buffer.alloc(5 * 1024 * 1024, 'x')])
      await writeFile(path, bytes)
      const words = `invoice-attachments create --invoice-id ${invoice.id} --file`.split(' ')
      const [local, remote] = await Promise.all([here, there].map((run) => run([...words, path, '--json'])))
      const [one, other] = [local, remote].map((outcome) => objectOf(JSON.parse(outcome?.stdout ?? '')))
      expect(one).to.include({ name: 'Ünter"lagen.pdf', size: bytes.length })
      for (const name of ['name', 'size', 'content_type', 'invoice_id'])
        expect(other?.[name], name).to.equal(one?.[name])
    })

    it('write once although a request is sent twice, with an idempotency key that they generate', async () => {
      const words = 'customers create --name Once --idempotency-key once'
      const first = await json(words)
      const second = await json(words)
      expect(second.id).to.equal(first.id)
      const before = await json('customers list --where name=Twice')
      const dry = await json('customers create --name Twice --dry-run')
      expect(dry).to.include({ name: 'Twice' })
      expect(await json('customers list --where name=Twice')).to.deep.equal(before)
    })

    it('report a wrong key', async () => {
      const wrong = { PAYCTL_KEY: `test_secret_key_${'0'.repeat(43)}` }
      expect(await there(['customers', 'list'], { variables: wrong })).to.deep.equal({
        exitCode: 4,
        stdout: '',
        stderr: 'error: The key is unknown, revoked or expired\n',
      })
    })
  })
})

describe('commands on an address without the service', () => {
  const key = { PAYCTL_KEY: `test_secret_key_${'0'.repeat(43)}`, PAYCTL_RETRIES: '0' }
  const ask = (address: string, variables: Record<string, string> = {}) =>
    payctl({ home: '/nowhere' }, ['customers', 'list', '--server', address], {
      variables: { ...key, ...variables },
    })

  it('report that no server listens', async () => {
    const { exitCode, stdout, stderr } = await ask('http://127.0.0.1:9')
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 9, stdout: '' })
    expect(stderr).to.equal(
      'error: Nobody listens at http://127.0.0.1:9; start payctl serve there, or fix the address.\n',
    )
  })

  it('report an unknown host name', async () => {
    const { exitCode, stderr } = await ask('http://payctl.invalid')
    expect(exitCode).to.equal(9)
    expect(stderr).to.match(/^error: The host payctl\.invalid is not known \(DNS: E\w+\)/)
  })

  it('report another program, a silent server, and a missing TLS', async () => {
    const server = createServer((request, response) => {
      if (!request.url?.startsWith('/silent')) response.end('Hello')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port }: Pick<AddressInfo, 'port'> = Object.assign({ port: 0 }, server.address())
    try {
      const outcomes = await Promise.all([
        ask(`http://127.0.0.1:${port}`),
        ask(`http://127.0.0.1:${port}/silent`, { PAYCTL_TIMEOUT: '1' }),
        ask(`https://127.0.0.1:${port}`),
      ])
      expect(outcomes.map(({ exitCode }) => exitCode)).to.deep.equal([9, 9, 9])
      expect(outcomes.map(({ stderr }) => stderr.replaceAll(String(port), 'PORT'))).to.deep.equal([
        'error: What answers at http://127.0.0.1:PORT is no payctl (status 200, no type); fix the address.\n',
        'error: http://127.0.0.1:PORT/silent did not answer within 1 seconds; check its log, or allow more in PAYCTL_TIMEOUT.\n',
        'error: https://127.0.0.1:PORT does not speak TLS; fix the address, or the proxy before payctl serve.\n',
      ])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
