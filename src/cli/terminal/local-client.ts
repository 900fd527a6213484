import type { App, AppOptions } from '../../app.js'
import type { Client } from './client/client.js'
import type { Settings } from './profiles/settings.js'

type Report = NonNullable<AppOptions['report']>

/**
 * The whole service within this process, on this machine's database. Loads it when first asked. `report` is told of
 * what the answers hide.
 */
export async function openLocalApp(
  settings: Settings,
  report: Report,
  more: Pick<AppOptions, 'delivery' | 'heads'> = {},
): Promise<App> {
  const { home, databaseUrl, publicAddress } = settings
  const { openApp } = await import('../../app.js')
  return openApp({
    home: home.value,
    report,
    ...more,
    ...(databaseUrl && { databaseUrl: databaseUrl.value }),
    ...(publicAddress && { publicAddress: publicAddress.value }),
  })
}

/** Its core, as the operator, who is told why a request failed: here nothing has to be hidden. */
export async function localClient(settings: Settings): Promise<Client> {
  const causes: unknown[] = []
  const [app, { operator }] = await Promise.all([
    openLocalApp(settings, (error) => causes.push(error)),
    import('../../engine/core/request/principal.js'),
  ])
  return {
    async send(request) {
      const core = await app.core(settings.environment.value)
      const response = await core.handle({ ...request, principal: operator })
      const [cause] = causes.splice(0)
      if (cause !== undefined) throw cause
      return response
    },
    close: () => app.close(),
  }
}
