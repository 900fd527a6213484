import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { boolean, custom, integer, option, string } from '@oclif/core/flags'
import type { App, AppOptions } from '../../app.js'
import { PayctlCommand } from '../terminal/command/command.js'
import { headFlags, headPlaces } from '../terminal/command/head-flags.js'
import { readAddressText } from '../terminal/input/address-text.js'
import { readProxiesText } from '../terminal/input/typed-values.js'
import { allowsLoopback, LOOPBACK_GATEWAYS } from '../terminal/local/gateway-loopback.js'
import { openLocalApp } from '../terminal/local/local-client.js'
import { leaveServedAddress } from '../terminal/profiles/served-address.js'
import type { Settings } from '../terminal/profiles/settings.js'
import { openapiDocument } from './openapi.js'
import { deliveryFlags, deliveryOptions } from './webhooks/delivery-flags.js'

const percent = { default: 0, min: 0, max: 100, helpValue: '<percent>' }
const rate = { min: 0, max: 1_000_000_000, helpValue: '<number>' }

/**
 * Limits the growth of V8's heap between collections to half of the live data. By default, the heap grows
 * to four times the live data: to 80 MB for 20 MB. More frequent collections do not make payments slower.
 */
const HEAP_GROWTH = '--heap-growing-percent=50'

export class Serve extends PayctlCommand {
  static override summary = 'serve both environments over HTTP until interrupted'
  static override description =
    'Cards and keys of live are never sent over a network unencrypted. On an address that other machines reach, live is refused ' +
    'unless --behind-tls-proxy declares a proxy in front that speaks TLS. payctl console opens the console.'
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
      summary: 'port to listen on; 0: any free port',
      helpValue: '<number>',
    }),
    'public-url': custom<string>({ parse: async (text) => readAddressText(text) })({
      env: 'PAYCTL_PUBLIC_URL',
      summary: 'address of pages for people; that of this server unless given',
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
      summary: 'maximum number of connections; beyond it, idle ones are closed',
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
      summary: 'proxies trusted to name the address of a client: loopback, or addresses with commas',
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
      summary: 'percentage of operations that do not reach the simulator: 503',
    }),
    'lose-answers': integer({
      ...percent,
      summary: 'percentage of operations that are done but not answered: processing',
    }),
    'log-level': option({
      options: ['silent', 'error', 'warn', 'info', 'debug'] as const,
      default: 'warn',
      env: 'PAYCTL_LOG_LEVEL',
      summary: 'level of the log on stderr; requests are logged from info on',
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
    if (flags.console && !(await isAnyOperator(app))) process.stderr.write(`${NOBODY}\n`)
    await interrupted
    await stop()
    await flushLog(logger)
  }

  /** Option of the app with the threads that read lists. Because of these threads, payments do not wait for lists. */
  private async listReader(
    { home }: Settings,
    report: (error: unknown) => void,
    threads?: number,
  ): Promise<Pick<AppOptions, 'listReader'>> {
    if (threads === 0) return {}
    const { ListThreads, usualListThreads } = await import('../list-threads/list-threads.js')
    return {
      listReader: (publicAddress) =>
        new ListThreads({
          file: join(this.config.root, 'dist', 'read-thread.cjs'),
          threads: threads ?? usualListThreads(),
          settings: () => ({ home: home.value, publicAddress: publicAddress() }),
          report,
        }),
    }
  }
}

/** Log message if the file with the server's address cannot be written; everything else works. */
const ADDRESS_NOT_LEFT = 'commands of this machine do not know the address of this server'

/** Said at the start of a console that nobody can enter yet. */
const NOBODY =
  'Nobody can sign in to the console yet; in another terminal, payctl console makes you the first operator, and opens it.'

/** Log message for each call to a gateway. */
const GATEWAY_CALL = 'a gateway was called'

/** Log message if committed work cannot be sealed or signed yet; sealing is tried again. */
const BOOKS_FAILED = 'the sealed books lag behind'

/** Whether a call with this outcome is logged as a warning. */
function isTrouble(outcome: string): boolean {
  return outcome === 'misconfigured' || outcome === 'not_sent' || outcome === 'unknown'
}

/**
 * Throws a `StoreError` for a database that has lost acknowledged commits. An unavailable database is no
 * error here, because it may become available.
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

/** Whether an environment has an operator. An unavailable database is no error here. */
async function isAnyOperator(app: App): Promise<boolean> {
  const [{ hasOperators }, { StoreError }] = await Promise.all([
    import('../../domain/access/operators/console-access.js'),
    import('../../engine/store/database/store-error.js'),
  ])
  try {
    for (const name of ['test', 'live'] as const)
      if (await hasOperators((await app.environment(name)).core)) return true
    return false
  } catch (error) {
    if (error instanceof StoreError) return true
    throw error
  }
}
