import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/engine/store/open-store.js'
import type { GatewayCall } from '../../src/gateways/registry/connected-gateway.js'
import { openLog } from '../../src/http/api/log.js'
import { systemRandom } from '../../src/platform/random.js'
import type { JsonObject } from '../../src/schema/json.js'
import { payctl } from '../cli/commands/payctl.js'
import {
  HOLDERS,
  type HolderName,
  keyFor,
  type MerchantKeys,
  makeKeys,
  runOf,
} from '../gateways/contract/merchant-keys.js'
import type { WireServer } from '../gateways/contract/opened-rail.js'
import { RAILS, realTime, wireServers } from '../gateways/contract/wire-servers.js'
import { CARD, payerAt } from '../http/payer/payer.js'
import { idOf, objectOf, valuesOf } from '../support/core.js'
import { type Databases, onDatabases, onSqlite, type Place } from '../support/databases.js'
import { card } from '../support/examples.js'
import { type HttpService, httpService } from '../support/http.js'
import { runFolder } from '../support/run-folder.js'

const NUMBERS = ['4242424242424242', '343434343434343', '5555555555554444']
const [VISA = '', AMEX = ''] = NUMBERS
const CARD_CODE = '7391'
const LIVE = ['--env', 'live', '--json']
const MONEY = [...LIVE, '--confirm', 'live']

/**
 * Moves money like a merchant: an operator at the terminal, or a program with a key. Each method throws if the
 * request is refused.
 */
interface Till {
  pay(amount: string, status?: 'authorized'): Promise<JsonObject>
  change(id: string, status: 'processed' | 'voided'): Promise<JsonObject>
  refund(id: string, amount: string): Promise<JsonObject>
}

/**
 * Runs a journey on every database for a key that sees all. Narrowed keys run only on SQLite, because narrowing
 * is the same on both.
 */
function onItsDatabases(holder: HolderName, define: (open: Databases) => void): void {
  if (holder === 'a key that sees all') onDatabases(define)
  else onSqlite(define)
}

const JOURNEYS = RAILS.flatMap((kind) => HOLDERS.map((holder) => ({ kind, holder })))

for (const { kind, holder } of JOURNEYS)
  describe(`journey: live money by ${kind} with ${holder}${runOf(holder)}`, () => {
    onItsDatabases(holder, (open) => {
      let place: Place
      let wire: WireServer
      let service: HttpService
      let key: string
      let keys: MerchantKeys
      let account: string
      const calls: GatewayCall[] = []
      const logged: string[] = []

      const run = async (...words: string[]) => {
        const variables = { PAYCTL_GATEWAY_LOOPBACK: '1', PAYCTL_CARD_NUMBER: VISA }
        const { exitCode, stdout, stderr } = await payctl(place, words, { variables })
        const printed: JsonObject = exitCode === 0 ? JSON.parse(stdout) : {}
        return { exitCode, printed, stderr }
      }
      const done = async (...words: string[]): Promise<JsonObject> => {
        const { exitCode, printed, stderr } = await run(...words)
        if (exitCode !== 0) throw new Error(`payctl ${words.join(' ')}: ${stderr}`)
        return printed
      }
      const ask = async (method: string, path: string, body?: JsonObject, by = key) => {
        const { status, body: answer } = await service.ask(by, method, path, body)
        if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
        return answer
      }
      /** Sends a request with the key that this holder has for it. */
      const request = async (method: string, path: string, body: JsonObject) =>
        await ask(method, path, body, keyFor(keys, method, path, body))
      const payment = (amount: string): JsonObject => ({
        type: 'payment',
        processing_id: account,
        amount,
        payment_method: card(VISA),
      })
      const terminal: Till = {
        pay: (amount, status) =>
          done(
            'transactions',
            'pay',
            ...MONEY,
            '--processing',
            account,
            '--amount',
            amount,
            '--expiry',
            '12/39',
            ...(status ? ['--authorize'] : []),
          ),
        change: (id, status) => done('transactions', status === 'voided' ? 'void' : 'capture', id, ...MONEY),
        refund: (id, amount) => done('transactions', 'refund', id, '--amount', amount, ...MONEY),
      }
      const program: Till = {
        pay: (amount, status) =>
          request('POST', '/transactions', { ...payment(amount), ...(status && { status }) }),
        change: (id, status) => request('PUT', `/transactions/${id}`, { status }),
        refund: (id, amount) =>
          request('POST', '/transactions', {
            type: 'refund',
            amount,
            ledger: [{ assoc_transaction_id: id }],
          }),
      }
      const till = holder === 'a key that sees all' ? terminal : program
      const there = async (id: string) =>
        String((await ask('GET', `/transactions/${id}?fields=gateway_id`)).gateway_id)

      before(async () => {
        place = await open.migrated()
        wire = await wireServers[kind](realTime, () => open.migrated())
        open.atEnd(() => wire.close())
        const logger = openLog('trace', { write: (line) => logged.push(line) })
        const options = { gatewayLoopback: true, onGatewayCall: (call: GatewayCall) => calls.push(call) }
        service = await httpService(place, options, { logger })
        open.atEnd(() => service.stop())
        key = await service.key({}, 'live')
        const shop = ['--data', 'docs/corner-shop.json', '--processing.status', 'active']
        account = idOf(await done('processing-accounts', 'create', ...LIVE, ...shop))
        keys = await makeKeys(service.app, 'live', holder, account)
      })

      it('refuses every payment and names the command to run, until a gateway is added, tested and routed to', async () => {
        expect(await refusalOf(terminal.pay('29.99'))).to.include('payctl gateways add')
        const { base_url: address, merchant, credentials } = wire.configuration
        const folder = await mkdtemp(join(runFolder, 'secrets-'))
        const secrets: string[] = []
        for (const [name, value] of Object.entries(credentials)) {
          const flag = `--${name.replaceAll('_', '-')}`
          const file = join(folder, name)
          await writeFile(file, `${value}\n`)
          secrets.push(...(name === 'login_id' ? [flag, value] : [`${flag}-file`, file]))
        }
        const where = ['--base-url', address, ...(merchant ? ['--merchant', merchant] : [])]
        await done('gateways', 'add', kind, ...LIVE, '--name', 'up', '--card-entry', ...where, ...secrets)
        expect(await done('gateways', 'test', 'up', ...LIVE)).to.include({ problem: null })
        await done('gateways', 'route', ...MONEY, '--default', 'up')
      })

      it('takes payments by command, HTTP, payment link and schedule', async () => {
        expect(await till.pay('29.99')).to.include({ status: 'processed', amount: 29.99 })
        const amex = { card: { card_number: AMEX, expiry: '12/39', card_code: CARD_CODE }, type: 'card' }
        const paid = await request('POST', '/transactions', { ...payment('30'), payment_method: amex })
        expect(paid).to.include({ status: 'processed' })
        const link = await ask('POST', '/payment_links', {
          type: 'one_time',
          processing_id: account,
          amount: 31,
        })
        const payer = payerAt(service.address)
        const shown = await payer.send(await payer.get(`/pay/${idOf(link)}`), CARD)
        expect(new URL(shown.url).pathname).to.match(/^\/receipt\//)
        const saved = { ...card(), default_payment_method: true }
        const customer_id = idOf(
          await ask('POST', '/customers', {
            name: 'Ada Park',
            primary_processing_id: account,
            payment_methods: [saved],
          }),
        )
        await ask('POST', '/billing_schedules', {
          customer_id,
          processing_id: account,
          recurring_frequency: 'monthly',
          charges: [{ amount: 32 }],
        })
        await done('billing', 'run', ...MONEY)
        const [billed] = valuesOf(await ask('GET', `/transactions?customer_id=${customer_id}`))
        expect(billed).to.include({ status: 'processed', amount: 32 })
        const sent = wire.network.takeRequests().map(wire.sent)
        expect(sent.map(({ type, amount }) => `${type} ${amount}`)).to.deep.equal([
          'sale 2999',
          'sale 3000',
          'sale 3100',
          'sale 3200',
        ])
      })

      it('captures, voids and partially refunds payments', async () => {
        const held = idOf(await till.pay('33', 'authorized'))
        expect(await till.change(held, 'processed')).to.include({ status: 'processed' })
        const unwanted = idOf(await till.pay('34'))
        expect(await till.change(unwanted, 'voided')).to.include({ status: 'voided' })
        const taken = idOf(await till.pay('35'))
        if (kind === 'authorizenet') {
          await wire.settle()
          expect(await refusalOf(till.change(taken, 'voided'))).to.include('refund it instead')
        }
        expect(await till.refund(taken, '10')).to.include({ status: 'processed', amount: 10 })
      })

      it('reports the reason of a decline', async () => {
        const { statusCode = '', method = {} } = wire.declines[0] ?? {}
        const body = { ...payment('36'), payment_method: method }
        const by = keyFor(keys, 'POST', '/transactions', body)
        const { status, body: answer } = await service.ask(by, 'POST', '/transactions', body)
        expect(status).to.equal(400)
        expect(objectOf(answer.details)).to.include({ status: 'declined', status_code: statusCode })
      })

      it('accepts an approval for a higher amount, and opens a reconciliation exception for the difference', async () => {
        wire.network.faults.push('names_more')
        const taken = await till.pay('30.58')
        expect(taken).to.include({ status: 'processed' })
        const raised = valuesOf(await done('exceptions', 'list', ...LIVE))
        expect(raised.map(({ kind: of, transaction_id: id, amount }) => [of, id, amount])).to.deep.equal(
          wire.namesAmounts ? [['amount_differs', idOf(taken), 5]] : [],
        )
      })

      it('books a dispute that the rail reports or the operator enters', async () => {
        const taken = idOf(await till.pay('37'))
        if (kind === 'authorizenet') {
          const dispute = ['--event', 'chargeback', '--transaction-id', taken, '--dispute', 'dp_1']
          await done('disputes', 'add', ...MONEY, ...dispute)
        } else {
          const { posted } = await wire.takeBack(await there(taken))
          const [gateway] = valuesOf(await done('gateways', 'list', ...LIVE))
          const address = `${service.address}/gateways/${idOf(gateway ?? {})}/notifications`
          const { status } = await fetch(address, { method: 'POST', ...posted })
          expect(status).to.equal(200)
          await (await service.app.environment('live')).reconcile(0)
        }
        expect(await ask('GET', `/transactions/${taken}`)).to.include({ status: 'rejected' })
      })

      it('ends with the same books on both sides', async () => {
        const all = valuesOf(await ask('GET', '/transactions?limit=100&fields=*,conv_fee'))
        const minor = (value: unknown) => Math.round(100 * Number(value ?? 0))
        const sumOf = (kind: string) =>
          all
            .filter(({ type, status }) => type === kind && /^(processed|rejected)$/.test(String(status)))
            .reduce((sum, { amount, conv_fee: fee }) => sum + minor(amount) + minor(fee), 0)
        expect(await wire.taken()).to.equal(sumOf('payment') - sumOf('refund'))
        expect(await done('verify', ...LIVE)).to.include({ found: 0 })
      })

      it('keeps no card number, card code or credential unencrypted in its database, files or log', async () => {
        const files = await filesIn(place.home)
        const kept = [await tablesOf(place), JSON.stringify(calls), logged.join(''), ...files]
        const secrets = Object.entries(wire.configuration.credentials).filter(([name]) => name !== 'login_id')
        for (const text of kept) {
          for (const number of NUMBERS) expect(text).to.not.include(number)
          for (const [, secret] of secrets) expect(text).to.not.include(secret.replace(/^whsec_/, ''))
          expect(text).to.not.match(new RegExp(`(?<![0-9A-Za-z])${CARD_CODE}(?![0-9A-Za-z])`))
        }
        expect(kept.join('')).to.include('"gateway_id"')
        expect(logged.join('')).to.include('/transactions')
      })
    })
  })

/** Error text of a request that must be refused. */
async function refusalOf(requested: Promise<JsonObject>): Promise<string> {
  return await requested.then(
    (done) => `It was done: ${JSON.stringify(done)}`,
    (error: unknown) => String(error),
  )
}

/** All rows of all tables of the live environment, as text. */
async function tablesOf(place: Place): Promise<string> {
  const store = await openStore({ ...place, environment: 'live', random: systemRandom })
  try {
    return await store.read(async ({ any }) => {
      const rows: unknown[] = []
      for (const { name } of await any.introspection.getTables())
        rows.push(await any.selectFrom(name).selectAll().execute())
      return JSON.stringify(rows)
    })
  } finally {
    await store.close()
  }
}

/** Content of every file below a folder. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))
}
