import process from 'node:process'
import type { Principal } from '../../engine/core/request/principal.js'
import { adminOperations } from '../../resources/admin/admin-operations.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney } from '../../schema/money.js'
import type { JsonObject } from '../terminal/client/client.js'
import { PayctlCommand } from '../terminal/command/command.js'
import { itemPath } from '../terminal/command/item-path.js'
import { shapeless } from '../terminal/input/shape.js'
import { thisLogin } from '../terminal/local/this-login.js'
import { shownKey } from '../terminal/profiles/credential.js'
import { linkAddress, type Setting, type Settings, shownDatabase } from '../terminal/profiles/settings.js'
import { isSaved } from '../terminal/start/configuration.js'

export class Whoami extends PayctlCommand {
  static override summary = 'show who you are, what commands work on, and where each setting came from'
  static override usage = 'whoami [flags]'
  static override examples = ['payctl whoami', 'PAYCTL_ENV=live payctl whoami --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami)
    const settings = this.settings()
    await this.print(flags, { ...shown(settings), ...(await inDatabase(settings)) }, shapeless)
  }
}

/**
 * The operator of this login, and the routes of new payments, read from an existing local database. Empty without such
 * a database. No database is created, and no server is called.
 */
async function inDatabase(settings: Settings): Promise<JsonObject> {
  try {
    if (settings.server || !(await hasDatabase(settings))) return {}
    const [{ loginIn, openLocalApp }, { owner, system }] = await Promise.all([
      import('../terminal/local/local-client.js'),
      import('../../engine/core/request/principal.js'),
    ])
    const app = await openLocalApp(settings, () => undefined)
    try {
      const { core, principalOfLogin } = await app.environment(settings.environment.value)
      const read: Read = async (path) => (await core.handle({ method: 'GET', path, principal: system })).body
      const { routes } = await read(`/${adminOperations.read_gateway_routes.path}`)
      return {
        ...(await person(await principalOfLogin(loginIn(settings)), owner.id, read)),
        routes: routes ?? [],
      }
    } finally {
      await app.close()
    }
  } catch (error) {
    // An unreadable database must not stop this command, which helps to find the cause.
    return { operator: `unknown: ${error instanceof Error ? error.message : String(error)}` }
  }
}

type Read = (path: string) => Promise<JsonObject>

async function hasDatabase({ databaseUrl, home, environment: { value: environment } }: Settings) {
  if (!databaseUrl) {
    const { databasePath, holdsDatabase } = await import('../../engine/store/sqlite/database-file.js')
    return holdsDatabase(databasePath(home.value, environment))
  }
  const { openToExamine } = await import('../../engine/store/open-store.js')
  const store = await openToExamine({ home: home.value, databaseUrl: databaseUrl.value, environment })
  await store?.close()
  return store !== undefined
}

/**
 * The operator of this login, with role and limits. `unnamed` is the id that stands for the owner of the home folder if
 * this owner is not registered as an operator.
 */
async function person(principal: Principal | undefined, unnamed: string, read: Read): Promise<JsonObject> {
  const { name, uid } = thisLogin()
  const login = `login ${name} (${uid})`
  if (!principal) return { operator: { value: 'nobody', from: login } }
  const { id, role, limits, processingIds } = principal
  if (id === unnamed) return { operator: { value: id, from: `home of ${login}` } }
  const { email } = await read(itemPath(resources.operator.plural, id))
  const from = `operator ${id}`
  return {
    operator: { value: email ?? id, from: login },
    ...(role && { role: { value: role, from } }),
    ...(limits?.each != null && { limit_each: { value: formatMoney(limits.each), from } }),
    ...(limits?.day != null && { limit_day: { value: formatMoney(limits.day), from } }),
    ...(processingIds && { processing_ids: { value: processingIds.join(', '), from } }),
  }
}

function shown(settings: Settings): JsonObject {
  const { profile, environment, server, key, home, limit } = settings
  const pages = server ? undefined : linkAddress(settings, process.env)
  const place: Record<string, Setting<string>> = server
    ? { server, key: key ? { ...key, value: shownKey(key.value) } : { value: 'none', from: 'default' } }
    : { database: shownDatabase(settings), home }
  const from = `profile ${profile?.value}`
  return {
    ...(profile && { profile: { ...profile } }),
    environment: { ...environment },
    ...Object.fromEntries(Object.entries(place).map(([name, setting]) => [name, { ...setting }])),
    ...(pages && { public_url: { value: pages.value, from: isSaved(pages.from) ? 'config' : pages.from } }),
    ...(limit.max_amount !== undefined && { max_amount: { value: formatMoney(limit.max_amount), from } }),
    ...(limit.verbs && { verbs: { value: limit.verbs.join(', '), from } }),
  }
}
