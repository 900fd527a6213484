import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { App, AppOptions } from '../../../app.js'
import type { Login } from '../../../domain/access/operators/operator-principal.js'
import type { Principal } from '../../../engine/core/request/principal.js'
import type { ApiRequest, ApiResponse } from '../../../engine/core/request/request.js'
import { codeOf } from '../../../platform/error-code.js'
import type { Client } from '../client/client.js'
import { cleanText } from '../output/clean.js'
import { linkAddress, type Settings } from '../profiles/settings.js'
import { allowsLoopback } from './gateway-loopback.js'
import { thisLogin } from './this-login.js'

type Report = NonNullable<AppOptions['report']>

/**
 * Opens the whole service in this process, on this machine's database; its code is loaded only now.
 * `report` is called with the causes of errors, which answers do not contain. Books that could not be
 * sealed are reported on stderr, because the request itself succeeded.
 */
export async function openLocalApp(
  settings: Settings,
  report: Report,
  more: Pick<
    AppOptions,
    'clock' | 'delivery' | 'drill' | 'examines' | 'heads' | 'listReader' | 'onGatewayCall' | 'reportBooks'
  > = {},
): Promise<App> {
  const { home, databaseUrl, publicAddress } = settings
  const { openApp } = await import('../../../app.js')
  return openApp({
    home: home.value,
    report,
    reportBooks: warnOf,
    gatewayLoopback: allowsLoopback(process.env),
    mailLoopback: process.env['PAYCTL_MAIL_LOOPBACK'] === '1',
    ...more,
    ...(databaseUrl && { databaseUrl: databaseUrl.value }),
    ...(publicAddress && { publicAddress: publicAddress.value }),
  })
}

/**
 * Prints a warning to stderr, for a problem that does not make the request fail: unsealed books, or an
 * unrecorded outcome.
 */
export function warnOf(error: unknown): void {
  process.stderr.write(`Warning: ${cleanText(withCause(error))}\n`)
}

function withCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${withCause(error.cause)}`
}

/**
 * Client of the service in this process, as the operator of the login. Unlike HTTP, it throws the cause of a failed
 * request. Reads and dry runs do not create a home; if there is no home, they use an empty service.
 */
export async function localClient(
  settings: Settings,
  more: Pick<AppOptions, 'examines'> = {},
): Promise<Client> {
  // Causes by request: several requests may run at once, and each must throw its own cause.
  const causes = new WeakMap<ApiRequest, unknown>()
  const report: Report = (error, request) => (request ? causes.set(request, error) : warnOf(error))
  let principal: Principal | undefined
  const pages = linkAddress(settings, process.env)
  const linked = { ...settings, ...(pages && { publicAddress: pages }) }
  let opened: Promise<App> | undefined
  let standIn: Promise<StandIn> | undefined
  const appFor = async (isRead: boolean): Promise<App> => {
    if (!opened && isRead && !more.examines && isUnused(settings)) {
      standIn ??= openStandIn(linked, report)
      return (await standIn).app
    }
    opened ??= openLocalApp(linked, report, more)
    return await opened
  }
  return {
    async send(request) {
      const app = await appFor(request.method === 'GET' || request.dryRun === true)
      const environment = await app.environment(settings.environment.value)
      principal ??= await environment.principalOfLogin(loginIn(settings))
      if (!principal) return nobody(settings)
      const whole: ApiRequest = { ...request, principal, through: 'terminal' }
      const response = await environment.core.handle(whole)
      if (causes.has(whole)) throw causes.get(whole)
      return response
    },
    async close() {
      await (await opened)?.close()
      await (await standIn)?.close()
    },
  }
}

/** The login of this process. It counts as the owner of a home that does not exist yet. */
export function loginIn({ home }: Settings): Login {
  const { uid } = thisLogin()
  if (uid === undefined) return { uid, ownsHome: true }
  const folder = statSync(home.value, { throwIfNoEntry: false })
  // Root may act as the owner of any folder, as in a container whose volume belongs to another login.
  return { uid, ownsHome: uid === 0 || folder === undefined || folder.uid === uid }
}

/** The answer to a login that is no operator. */
export function nobody({ environment }: Settings): ApiResponse {
  const { name, uid } = thisLogin()
  const error_description =
    `The login ${name} (${uid}) is no active operator of ${environment.value}; ` +
    `an owner lets it in: payctl operators add --login ${name}, or operators update`
  return {
    status: 403,
    headers: {},
    body: { object: 'error', error_type: 'Forbidden', error_description, details: {} },
  }
}

/** Entries of a home that may exist before the service is used: settings of the terminal, and drafts. */
const OF_TERMINAL = ['settings', 'drafts']

/** Whether a home has neither databases nor keys, but they could be created. */
function isUnused({ home, databaseUrl }: Settings): boolean {
  if (databaseUrl || !isWritableFolder(home.value)) return false
  return !existsSync(home.value) || readdirSync(home.value).every((name) => OF_TERMINAL.includes(name))
}

/** Whether this user can write into a folder, or could create the folder. */
function isWritableFolder(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return isWritableFolder(dirname(path))
    accessSync(path, constants.W_OK | constants.X_OK)
    return stat.isDirectory()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return false
  }
}

/** An empty service in a temporary folder, for reads and dry runs while the home has no database. */
interface StandIn {
  readonly app: App
  close(): Promise<void>
}

async function openStandIn(settings: Settings, report: Report): Promise<StandIn> {
  const { tmpdir } = await import('node:os')
  const folder = mkdtempSync(join(tmpdir(), 'payctl-'))
  const app = await openLocalApp({ ...settings, home: { ...settings.home, value: folder } }, report)
  return {
    app,
    async close() {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
