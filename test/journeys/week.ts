import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { Secret, TOTP } from 'otpauth'
import { owner } from '../../src/engine/core/request/principal.js'
import type { Environment } from '../../src/engine/store/database/store.js'
import type { JsonObject } from '../../src/schema/json.js'
import { parseMoney } from '../../src/schema/money.js'
import type { Method } from '../../src/schema/resource.js'
import { payctl } from '../cli/commands/payctl.js'
import type { Posted, WireServer } from '../gateways/contract/opened-rail.js'
import { CARD, payerAt } from '../http/payer/payer.js'
import { ConsoleBrowser } from '../support/console-browser.js'
import { keyIn, PASSWORD } from '../support/console-world.js'
import { idOf, valuesOf } from '../support/core.js'
import type { Databases, Place } from '../support/databases.js'
import { type HttpService, httpService } from '../support/http.js'
import { runFolder } from '../support/run-folder.js'
import { suspenseOf } from './suspense.js'

const VARIABLES = { PAYCTL_GATEWAY_LOOPBACK: '1', PAYCTL_CARD_NUMBER: '4242424242424242' }

/** The first week of a merchant: an operator at the terminal and in the console, and payers. */
export class Week {
  account = ''

  private constructor(
    readonly place: Place,
    readonly service: HttpService,
    readonly environment: Environment,
    readonly wire: WireServer | undefined,
    private readonly browser: ConsoleBrowser,
  ) {}

  static async open(open: Databases, wire: WireServer | undefined): Promise<Week> {
    const environment = wire ? 'live' : 'test'
    const place = await open.migrated()
    const service = await httpService(place, { gatewayLoopback: true }, { console: true })
    open.atEnd(() => service.stop())
    const week = new Week(place, service, environment, wire, new ConsoleBrowser(service.address))
    const email = 'ada@example.com'
    await week.core('POST', '/admin/operators', { name: 'Ada Park', email, role: 'owner' })
    const { code } = await week.core('POST', '/admin/console_entries', { email })
    await week.enter(String(code))
    const shop = ['--data', 'docs/corner-shop.json', '--processing.status', 'active']
    week.account = idOf(await week.type('processing-accounts', 'create', ...shop))
    return week
  }

  /** Signs in to the console by an entry code; in live also sets a password and a second factor. */
  private async enter(entry: string): Promise<void> {
    const { browser, environment } = this
    const entered = await browser.submit(await browser.get(`/console/enter/${entry}`))
    expect(entered.status, entered.text).to.equal(303)
    if (environment === 'test') return
    const page = await browser.get(`/console/${environment}/set-up`)
    const code = new TOTP({ secret: Secret.fromBase32(keyIn(page)) }).generate()
    expect((await browser.submit(page, { password: PASSWORD, code })).status).to.equal(303)
  }

  /** Sends a request to the core with the operator’s permissions; throws if it is refused. */
  async core(method: Method, path: string, body?: JsonObject, query = ''): Promise<JsonObject> {
    const { core } = await this.service.app.environment(this.environment)
    const pairs = [...new URLSearchParams(query)]
    const answer = await core.handle({ method, path, body, query: pairs, principal: owner })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async list(path: string, query = ''): Promise<JsonObject[]> {
    return valuesOf(await this.core('GET', path, undefined, `order_by=id&limit=1000&${query}`))
  }

  /** Runs a command with `--json`, in live with `--confirm live`; returns its output. Throws if the command fails. */
  async type(...words: readonly string[]): Promise<JsonObject> {
    const asked = this.environment === 'live' ? ['--confirm', 'live'] : []
    const typed = [...words, '--env', this.environment, '--json', ...asked]
    const { exitCode, stdout, stderr } = await payctl(this.place, typed, { variables: VARIABLES })
    if (exitCode !== 0) throw new Error(`payctl ${words.join(' ')}: ${stderr}${stdout}`)
    return stdout === '' ? {} : JSON.parse(stdout)
  }

  /** Checks that `payctl verify` has no findings. */
  async expectVerified(): Promise<void> {
    const { exitCode, stdout } = await payctl(this.place, ['verify', '--env', this.environment])
    expect(exitCode, stdout).to.equal(0)
  }

  /** Runs a command line that payctl has printed. */
  async typePrinted(line: string): Promise<void> {
    const [program, ...words] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    )
    expect(program).to.equal('payctl')
    const asked = this.environment === 'live' ? ['--confirm', 'live'] : []
    const { exitCode, stderr } = await payctl(this.place, [...words, ...asked], { variables: VARIABLES })
    expect(exitCode, `${line}: ${stderr}`).to.equal(0)
  }

  /** Takes a payment at the terminal; returns its id. */
  async pay(amount: number, ...more: readonly string[]): Promise<string> {
    const words = ['--processing', this.account, '--amount', String(amount), '--expiry', '12/39', ...more]
    return idOf(await this.type('transactions', 'pay', ...words))
  }

  /** Pays on the page of a new payment link like a browser without scripts; returns the payment's id. */
  async payByPage(amount: number): Promise<string> {
    const link = await this.core('POST', '/payment_links', {
      type: 'one_time',
      processing_id: this.account,
      amount,
    })
    const payer = payerAt(this.service.address)
    const page = await payer.get(`/pay/${idOf(link)}`)
    const { wire } = this
    const hasFields = wire?.fieldCredentials !== undefined
    expect(page.fields.has('card_number'), page.text).to.equal(!hasFields)
    const { card_number: _, expiry: __, card_code: ___, ...rest } = CARD
    const shown = await payer.send(page, hasFields ? { ...rest, gateway_token: await wire.token() } : CARD)
    expect(new URL(shown.url).pathname, shown.text).to.match(/^\/receipt\//)
    const [paid] = await this.list('/transactions', `type=payment&amount=${amount}`)
    return idOf(paid ?? {})
  }

  async read(id: string): Promise<JsonObject> {
    return await this.core('GET', `/transactions/${id}`, undefined, 'fields=*,gateway_id')
  }

  /** Expects a page of the console to contain texts. */
  async see(path: string, ...words: readonly string[]): Promise<void> {
    const address = `/console/${this.environment}/${path}`
    const page = await this.browser.follow(await this.browser.get(address))
    expect(page.status, address).to.equal(200)
    for (const each of words) expect(page.text, address).to.include(each)
  }

  /** Adds a gateway with the flags that its page of the docs describes, and routes all payments to it. */
  async connect(kind: string, { configuration, fieldCredentials }: WireServer): Promise<void> {
    const { base_url: address, merchant, credentials } = configuration
    const folder = await mkdtemp(join(runFolder, 'week-'))
    const secrets: string[] = []
    for (const [name, value] of Object.entries({ ...credentials, ...fieldCredentials })) {
      const flag = `--${name.replaceAll('_', '-')}`
      const file = join(folder, name)
      await writeFile(file, `${value}\n`)
      const isPublic = name === 'login_id' || name === 'publishable_key'
      secrets.push(...(isPublic ? [flag, value] : [`${flag}-file`, file]))
    }
    const where = ['--base-url', address, ...(merchant ? ['--merchant', merchant] : [])]
    const pages = fieldCredentials ? [] : ['--card-entry']
    await this.type('gateways', 'add', kind, '--name', 'up', ...where, ...pages, ...secrets)
    expect(await this.type('gateways', 'test', 'up')).to.include({ problem: null })
    await this.type('gateways', 'route', '--default', 'up')
  }

  /** Posts a notification of the gateway to the service, and waits until it is handled. */
  async told({ headers, body }: Posted): Promise<void> {
    const [gateway] = await this.list('/admin/gateways')
    const address = `${this.service.address}/gateways/${idOf(gateway ?? {})}/notifications`
    const { status } = await fetch(address, { method: 'POST', headers, body: new Uint8Array(body) })
    expect(status).to.equal(200)
    await this.reconcile()
  }

  async reconcile(): Promise<void> {
    await (await this.service.app.environment(this.environment)).reconcile(0)
  }

  /** Settles all payments, pays them out, and reads the settlements. */
  async payOut(): Promise<void> {
    if (!this.wire) return void (await this.type('clock', 'advance', '3d'))
    await this.wire.settle()
    expect(await this.type('settlements', 'pull')).to.include({ problems: null })
    await this.reconcile()
  }

  /** Creates a dispute: the payer's bank takes a payment back. Returns the dispute's id. */
  async takeBack(payment: string, takesReports: boolean): Promise<string> {
    if (!this.wire)
      await this.core('POST', '/admin/simulate', { event: 'chargeback', transaction_id: payment })
    else if (takesReports) await this.told((await this.wire.takeBack(await this.there(payment))).posted)
    else
      await this.type(
        'disputes',
        'add',
        '--event',
        'chargeback',
        '--transaction-id',
        payment,
        '--dispute',
        'dp_1',
      )
    const [dispute] = await this.list('/disputes', `transaction_id=${payment}`)
    return idOf(dispute ?? {})
  }

  /** Decides the dispute of a payment for the payer. */
  async lose(payment: string, takesReports: boolean): Promise<void> {
    if (!this.wire)
      await this.core('POST', '/admin/simulate', { event: 'dispute_lost', transaction_id: payment })
    else if (takesReports && this.wire.lose) await this.told(await this.wire.lose(await this.there(payment)))
    else
      await this.type(
        'disputes',
        'add',
        '--event',
        'dispute_lost',
        '--transaction-id',
        payment,
        '--dispute',
        'dp_1',
      )
  }

  async there(id: string): Promise<string> {
    return String((await this.read(id)).gateway_id)
  }

  /** Kinds of the open exceptions. */
  async open(): Promise<string[]> {
    return (await this.list('/admin/exceptions', 'status=open')).map(({ kind }) => String(kind))
  }

  /**
   * Expects exactly one open exception of a kind, and that the console shows it. Resolves it with the command
   * that `payctl exceptions show` prints.
   */
  async decide(kind: string, resolution: string): Promise<void> {
    const [raised, ...more] = await this.list('/admin/exceptions', `status=open&kind=${kind}`)
    expect(more).to.deep.equal([])
    const id = idOf(raised ?? {})
    await this.see('exceptions', `exceptions/${id}`)
    await this.see(`exceptions/${id}`, `resolution=${resolution}`)
    const words = ['exceptions', 'show', id, '--env', this.environment]
    const { stdout, stderr } = await payctl(this.place, words, { variables: VARIABLES })
    const named = `${stderr}\n${stdout}`.split('\n').filter((line) => line.startsWith('payctl '))
    const line = named.find((each) => each.includes(` --as ${resolution} `))
    expect(line, `${stderr}${stdout}`).to.be.a('string')
    await this.typePrinted(line ?? '')
    await this.reconcile()
    expect((await this.core('GET', `/admin/exceptions/${id}`)).status).to.equal('resolved')
  }

  /** Balance of the book account `suspense`: amounts that no exception, transaction or fee explains. */
  async suspense(): Promise<number> {
    return await suspenseOf(this.service.app, this.environment)
  }

  /** Sum of a field of rows, in minor units. */
  sum(rows: readonly JsonObject[], field = 'amount'): number {
    return rows.reduce((sum, row) => sum + (parseMoney(String(row[field] ?? 0)) ?? 0), 0)
  }
}
