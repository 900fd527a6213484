import { PayctlCommand } from '../terminal/command.js'
import { shownDatabase } from '../terminal/settings.js'
import { shapeless } from '../terminal/shape.js'

export class Whoami extends PayctlCommand {
  static override summary = 'show what commands work on, and where each setting came from'
  static override usage = 'whoami [flags]'
  static override examples = ['payctl whoami', 'PAYCTL_ENV=live payctl whoami --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami)
    const settings = this.settings(flags)
    const { environment, home, publicAddress } = settings
    const database = shownDatabase(settings)
    await this.print(
      flags,
      {
        environment: { ...environment },
        database: { ...database },
        home: { ...home },
        ...(publicAddress && { public_url: { ...publicAddress } }),
      },
      shapeless,
    )
  }
}
