import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { boolean, custom, integer, option, string } from '@oclif/core/flags'
import type { App, AppOptions } from '../../app.js'
import { PayctlCommand } from '../terminal/command.js'
import { allowsLoopback, LOOPBACK_GATEWAYS } from '../terminal/gateway-loopback.js'
import { headFlags, headPlaces } from '../terminal/head-flags.js'
import { readAddressText } from '../terminal/input/address-text.js'
import { readProxiesText } from '../terminal/input/typed-values.js'
import { openLocalApp } from '../terminal/local-client.js'
import { leaveServedAddress } from '../terminal/profiles/served-address.js'
import type { Settings } from '../terminal/profiles/settings.js'
import { openapiDocument } from './openapi.js'
import { deliveryFlags, deliveryOptions } from './webhooks/delivery-flags.js'

const percent = { default: 0, min: 0, max: 100, helpValue: '<percent>' }
const rate = { min: 0, max: 1_000_000_000, helpValue: '<number>' }

/**
 * Limits the growth of V8's heap to half of the live size between collections. By default it grows to four times that
 * size: to 80 MB, of which 20 are live. A payment takes no longer with more frequent collections.
 */
const HEAP_GROWTH = '--heap-growing-percent=50'

export class Serve extends PayctlCommand {
  static override summary = 'serve both environments over HTTP until interrupted'
  static override description =
    'Cards and keys of live never cross a network in the clear: on another address than one of this machine, live is refused ' +
    'unless a proxy in front speaks TLS, which --behind-tls-proxy says. payctl console opens the console.'
  static override usage = 'serve [--host <host>] [--port <port>]'
  static override examples = [
    'payctl serve',
    'payctl serve --console',
    'payctl serve --host 0.0.0.0 --port 8080 --behind-tls-proxy',
  ]
  static override flags = {
    host: string({
      default: '127.0.0.1',
      env: 'PAYCTL_HOST',
      summary: 'address to listen on',
      helpValue: '<host>',
    }),
    port: integer({
      default: 4242,
      min: 0,
      max: 65_535,
      env: 'PAYCTL_PORT',
      summary: 'port to listen on; 0 takes a free one',
      helpValue: '<number>',
    }),
    'public-url': custom<string>({ parse: async (text) => readAddressText(text) })({
      env: 'PAYCTL_PUBLIC_URL',
      summary: 'address that people reach the pages at; that of this server unless given',
      helpValue: '<url>',
    }),
    'fields-url': custom<string>({ parse: async (text) => readAddressText(text) })({
      env: 'PAYCTL_FIELDS_URL',
      summary: "address of secure fields in shops' pages",
      helpValue: '<url>',
    }),
    'key-rate': integer({
      ...rate,
      default: 0,
      env: 'PAYCTL_KEY_RATE',
      summary: 'requests a minute with one key; 0: no limit',
    }),
    'address-rate': integer({
      ...rate,
      default: 0,
      env: 'PAYCTL_ADDRESS_RATE',
      summary: 'requests a minute from one address; 0: no limit',
    }),
    'unknown-key-rate': integer({
      ...rate,
      default: 1_000,
      env: 'PAYCTL_UNKNOWN_KEY_RATE',
      summary: 'requests with unknown keys a minute from one address; 0: no limit',
    }),
    'notification-rate': integer({
      ...rate,
      default: 6_000,
      env: 'PAYCTL_NOTIFICATION_RATE',
      summary: 'notifications of gateways a minute from one address; 0: no limit',
    }),
    'sign-in-rate': integer({
      ...rate,
      default: 60,
      env: 'PAYCTL_SIGN_IN_RATE',
      summary: 'attempts to sign in a minute from one address; 0: no limit',
    }),
    'sign-up-rate': integer({
      ...rate,
      default: 10,
      env: 'PAYCTL_SIGN_UP_RATE',
      summary: 'attempts to sign up a minute from one address; 0: no limit',
    }),
    'sign-up': boolean({
      default: true,
      allowNo: true,
      env: 'PAYCTL_SIGN_UP',
      summary: 'let new businesses sign up on the OAuth page',
    }),
    'max-connections': integer({
      min: 1,
      max: 1_000_000,
      helpValue: '<number>',
      default: 2_000,
      env: 'PAYCTL_MAX_CONNECTIONS',
      summary: 'connections at once; beyond that idle ones are closed',
    }),
    'list-threads': integer({
      min: 0,
      max: 64,
      helpValue: '<number>',
      env: 'PAYCTL_LIST_THREADS',
      summary: 'threads that read lists from SQLite; 0: none; one processor is left free unless given',
    }),
    console: boolean({
      default: false,
      env: 'PAYCTL_CONSOLE',
      summary:
        'serve the console of operators, /console; beyond this machine only behind a proxy that speaks TLS',
    }),
    'behind-tls-proxy': boolean({
      default: false,
      env: 'PAYCTL_BEHIND_TLS_PROXY',
      summary: 'a proxy in front speaks TLS: live is served on an address that others reach',
    }),
    'trust-proxy': custom<string>({ parse: async (text) => readProxiesText(text) })({
      env: 'PAYCTL_TRUST_PROXY',
      summary: 'proxies that are trusted to name the address of a client: loopback, or addresses with commas',
      helpValue: '<addresses>',
    }),
    ...headFlags,
    ...deliveryFlags,
    'webhook-log-days': integer({
      default: 30,
      min: 1,
      max: 3_650,
      env: 'PAYCTL_WEBHOOK_LOG_DAYS',
      summary: 'days for which the logs of webhooks are kept',
      helpValue: '<number>',
    }),
    latency: integer({
      default: 0,
      min: 0,
      max: 60_000,
      summary: 'a drill in the test environment: milliseconds until the simulator answers',
      helpValue: '<number>',
    }),
    'fail-rate': integer({
      ...percent,
      summary: 'of a hundred operations, so many do not reach the simulator: 503',
    }),
    'lose-answers': integer({
      ...percent,
      summary: 'of a hundred operations, so many are done and not answered: processing',
    }),
    'log-level': option({
      options: ['silent', 'error', 'warn', 'info', 'debug'] as const,
      default: 'warn',
      env: 'PAYCTL_LOG_LEVEL',
      summary: 'what is logged on stderr; requests are logged from info on',
    })(),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve)
    setFlagsFromString(HEAP_GROWTH)
    const [{ REQUEST_FAILED, serve }, { flushLog, openLog }] = await Promise.all([
      import('../../http/server.js'),
      import('../../http/api/log.js'),
    ])
    const logger = openLog(flags['log-level'])
    const publicAddress = flags['public-url']
    const settings = {
      ...(await this.localSettings('anybody')),
      ...(publicAddress !== undefined && { publicAddress: { value: publicAddress, from: '--public-url' } }),
    }
    const report = (err: unknown) => logger.error({ err }, REQUEST_FAILED)
    const app = await openLocalApp(settings, report, {
      delivery: { ...deliveryOptions(flags), logDays: flags['webhook-log-days'] },
      onGatewayCall: (call) => logger[isTrouble(call.outcome) ? 'warn' : 'info'](call, GATEWAY_CALL),
      reportBooks: (err) => logger.error({ err }, BOOKS_FAILED),
      heads: headPlaces(flags),
      drill: {
        latency: flags.latency,
        failRate: flags['fail-rate'],
        loseAnswers: flags['lose-answers'],
      },
      ...(settings.databaseUrl === undefined &&
        (await this.listReader(settings, report, flags['list-threads']))),
    })
    for (const environment of ['test', 'live'] as const) await expectBooks(app, environment)
    const { address, stop } = await serve({
      app,
      host: flags.host,
      port: flags.port,
      logger,
      docs: { document: openapiDocument, folder: join(this.config.root, 'dist', 'docs') },
      limits: {
        keyRate: flags['key-rate'],
        addressRate: flags['address-rate'],
        unknownKeyRate: flags['unknown-key-rate'],
        notificationRate: flags['notification-rate'],
        signInRate: flags['sign-in-rate'],
        signUpRate: flags['sign-up-rate'],
        connections: flags['max-connections'],
      },
      signUp: flags['sign-up'],
      behindTls: flags['behind-tls-proxy'],
      console: flags.console,
      ...(flags['fields-url'] !== undefined && { fieldsUrl: flags['fields-url'] }),
      ...(flags['trust-proxy'] !== undefined && { trustProxy: flags['trust-proxy'] }),
    })
    const interrupted = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
    if (allowsLoopback(process.env)) process.stderr.write(`Warning: ${LOOPBACK_GATEWAYS}\n`)
    await leaveServedAddress(settings.home.value, publicAddress ?? address).catch((err: unknown) =>
      logger.warn({ err }, ADDRESS_NOT_LEFT),
    )
    process.stdout.write(`Listening on ${address}\n`)
    await interrupted
    await stop()
    await flushLog(logger)
  }

  /** Options with threads that read lists, so that payments need not wait for them. */
  private async listReader(
    { home }: Settings,
    report: (error: unknown) => void,
    threads?: number,
  ): Promise<Pick<AppOptions, 'listReader'>> {
    if (threads === 0) return {}
    const { ListThreads, usualListThreads } = await import('../threads/list-threads.js')
    return {
      listReader: (publicAddress) =>
        new ListThreads({
          file: join(this.config.root, 'dist', 'list-thread.cjs'),
          threads: threads ?? usualListThreads(),
          settings: () => ({ home: home.value, publicAddress: publicAddress() }),
          report,
        }),
    }
  }
}

/** Message in the log when the file with the address cannot be written; everything else works. */
const ADDRESS_NOT_LEFT = 'commands of this machine do not know the address of this server'

/** Message in the log for each call to a gateway. */
const GATEWAY_CALL = 'a gateway was called'

/** Message in the log when committed work cannot be sealed or signed; this is tried again. */
const BOOKS_FAILED = 'the sealed books lag behind'

/** Whether an operator should see the outcome of a call. */
function isTrouble(outcome: string): boolean {
  return outcome === 'misconfigured' || outcome === 'not_sent' || outcome === 'unknown'
}

/**
 * Throws for a database that has lost acknowledged commits. An unavailable database may become available, and is no
 * error here.
 */
async function expectBooks(app: App, environment: 'test' | 'live'): Promise<void> {
  try {
    await (await app.environment(environment)).expectBooks()
  } catch (error) {
    const { StoreError } = await import('../../engine/store/database/store-error.js')
    if (!(error instanceof StoreError) || error.problem !== 'books_differ') return
    await app.close()
    throw error
  }
}
