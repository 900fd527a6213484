import process from 'node:process'
import { adminOperations } from '../../resources/admin/admin-operations.js'
import { formatMoney } from '../../schema/money.js'
import type { JsonObject } from '../terminal/client/client.js'
import { PayctlCommand } from '../terminal/command.js'
import { isSaved } from '../terminal/configuration.js'
import type { Choices } from '../terminal/global-flags.js'
import { shapeless } from '../terminal/input/shape.js'
import { shownKey } from '../terminal/profiles/credential.js'
import { pagesOf, type Setting, type Settings, shownDatabase } from '../terminal/profiles/settings.js'

export class Whoami extends PayctlCommand {
  static override summary = 'show what commands work on, and where each setting came from'
  static override usage = 'whoami [flags]'
  static override examples = ['payctl whoami', 'PAYCTL_ENV=live payctl whoami --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami)
    const settings = this.settings()
    await this.print(flags, { ...shown(settings), ...(await this.routes(flags, settings)) }, shapeless)
  }

  /** Routes of new payments, read from an existing local database; none is created, and no server is called. */
  private async routes(choices: Choices, settings: Settings): Promise<JsonObject> {
    const { server, databaseUrl, home, environment } = settings
    if (server || databaseUrl) return {}
    const { databasePath, holdsDatabase } = await import('../../engine/store/sqlite/database-file.js')
    if (!holdsDatabase(databasePath(home.value, environment.value))) return {}
    const { path, method } = adminOperations.read_gateway_routes
    try {
      const { routes } = (await this.ask(choices, { method, path: `/${path}` })).body
      return { routes: routes ?? [] }
    } catch (error) {
      // An unreadable database must not stop this command, which helps to find the cause.
      return { routes: `unknown: ${error instanceof Error ? error.message : String(error)}` }
    }
  }
}

function shown(settings: Settings): JsonObject {
  const { profile, environment, server, key, home, limit } = settings
  const pages = server ? undefined : pagesOf(settings, process.env)
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
