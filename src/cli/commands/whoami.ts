import { formatMoney } from '../../schema/money.js'
import type { JsonObject } from '../terminal/client/client.js'
import { PayctlCommand } from '../terminal/command.js'
import { shapeless } from '../terminal/input/shape.js'
import { shownKey } from '../terminal/profiles/key.js'
import { type Setting, type Settings, shownDatabase } from '../terminal/profiles/settings.js'

export class Whoami extends PayctlCommand {
  static override summary = 'show what commands work on, and where each setting came from'
  static override usage = 'whoami [flags]'
  static override examples = ['payctl whoami', 'PAYCTL_ENV=live payctl whoami --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami)
    await this.print(flags, shown(this.settings()), shapeless)
  }
}

function shown(settings: Settings): JsonObject {
  const { profile, environment, server, key, home, publicAddress, guard } = settings
  const place: Record<string, Setting<string>> = server
    ? { server, key: key ? { ...key, value: shownKey(key.value) } : { value: 'none', from: 'default' } }
    : { database: shownDatabase(settings), home }
  const from = `profile ${profile?.value}`
  return {
    ...(profile && { profile: { ...profile } }),
    environment: { ...environment },
    ...Object.fromEntries(Object.entries(place).map(([name, setting]) => [name, { ...setting }])),
    ...(publicAddress && { public_url: { ...publicAddress } }),
    ...(guard.max_amount !== undefined && { max_amount: { value: formatMoney(guard.max_amount), from } }),
    ...(guard.verbs && { verbs: { value: guard.verbs.join(', '), from } }),
  }
}
