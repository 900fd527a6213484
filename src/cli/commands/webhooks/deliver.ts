import { boolean } from '@oclif/core/flags'
import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { interruption, pause } from '../../terminal/command/interruption.js'
import { shapeless } from '../../terminal/input/shape.js'
import { openLocalApp } from '../../terminal/local/local-client.js'
import { deliveryFlags, deliveryOptions } from './delivery-flags.js'

/** Milliseconds between two checks for due deliveries. */
const POLL = 500

export class WebhooksDeliver extends PayctlCommand {
  static override summary = 'send events to webhooks, until interrupted'
  static override description =
    'serve does the same by itself; any number of processes may share the work on one database.'
  static override usage = 'webhooks deliver [--once] [flags]'
  static override examples = ['payctl webhooks deliver', 'payctl webhooks deliver --once --env live']
  static override flags = {
    once: boolean({ summary: 'end when no delivery is due' }),
    ...deliveryFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksDeliver)
    const interrupted = interruption()
    const causes: unknown[] = []
    const app = await openLocalApp(await this.localSettings('anybody'), (error) => causes.push(error), {
      delivery: deliveryOptions(flags),
    })
    // Keeps the process alive, which the service's own timers do not.
    const awake = setInterval(() => undefined, POLL)
    let count = 0
    try {
      do {
        count += await (await app.environment(flags.env)).deliver(interrupted)
        if (causes.length > 0) throw causes[0]
        if (!flags.once) await pause(POLL, interrupted)
      } while (!flags.once && !interrupted.aborted)
    } finally {
      clearInterval(awake)
      await app.close()
    }
    if (formatOf(flags) !== 'table') await this.print(flags, { attempts: count }, shapeless)
    const made = count === 1 ? '1 attempt was made' : `${count} attempts were made`
    this.say(flags, `${made}; payctl webhooks logs lists ${count === 1 ? 'it' : 'them'}.`)
  }
}
