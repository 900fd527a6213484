import process from 'node:process'
import type { App, AppOptions } from '../../app.js'
import type { ApiRequest } from '../../engine/core/request/request.js'
import type { Client } from './client/client.js'
import { allowsLoopback } from './gateway-loopback.js'
import { cleanText } from './output/clean.js'
import type { Settings } from './profiles/settings.js'

type Report = NonNullable<AppOptions['report']>

/**
 * Opens the whole service in this process, on this machine's database; its code is loaded only then. `report` gets the
 * causes that answers do not show. Books that could not be sealed are reported on stderr: the request itself
 * succeeded.
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
  const { openApp } = await import('../../app.js')
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

/** Prints a problem on stderr that does not make the request fail: unsealed books, an outcome that was not recorded. */
export function warnOf(error: unknown): void {
  process.stderr.write(`Warning: ${cleanText(withCause(error))}\n`)
}

function withCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${withCause(error.cause)}`
}

/** Client of the service in this process, as the operator. Unlike HTTP, it throws the cause of a failed request. */
export async function localClient(
  settings: Settings,
  more: Pick<AppOptions, 'examines'> = {},
): Promise<Client> {
  // Several requests may be running: each throws its own cause.
  const causes = new WeakMap<ApiRequest, unknown>()
  const [app, { operator }] = await Promise.all([
    openLocalApp(settings, (error, request) => (request ? causes.set(request, error) : warnOf(error)), more),
    import('../../engine/core/request/principal.js'),
  ])
  return {
    async send(request) {
      const { core } = await app.environment(settings.environment.value)
      const whole = { ...request, principal: operator }
      const response = await core.handle(whole)
      if (causes.has(whole)) throw causes.get(whole)
      return response
    },
    close: () => app.close(),
  }
}
