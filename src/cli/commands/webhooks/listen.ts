import process from 'node:process'
import { custom, integer, string } from '@oclif/core/flags'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { TRIGGERS } from '../../../resources/trigger.js'
import { datetime } from '../../../schema/field.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { endlessText } from '../../terminal/command/endless-text.js'
import type { Choices } from '../../terminal/command/global-flags.js'
import { interruption } from '../../terminal/command/interruption.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { readTargetText } from '../../terminal/input/address-text.js'
import { shapeOfFields } from '../../terminal/input/shape.js'
import { cellOf } from '../../terminal/output/cell.js'
import { type Look, lookOf } from '../../terminal/output/look.js'
import { follow } from './follow.js'
import { openForwarding } from './forward.js'
import { Position } from './position.js'

const { read_events: readEvents } = adminOperations
const shape = shapeOfFields(registry, readEvents.output.events.fields)

export class WebhooksListen extends PayctlCommand {
  static override summary = 'print events as they happen, and forward them to an address of this machine'
  static override description =
    'No webhook is needed. Events are forwarded and signed like those for a webhook; without --secret, a secret ' +
    'is created and shown. It continues after a restart of serve.'
  static override usage = 'webhooks listen [--forward-to <url>] [flags]'
  static override examples = [
    'payctl webhooks listen',
    'payctl webhooks listen --forward-to http://127.0.0.1:3000/webhooks',
    'payctl webhooks listen --trigger refund --last 10 --json',
  ]
  static override flags = {
    trigger: string({ options: [...TRIGGERS], summary: 'events of this trigger only' }),
    last: integer({
      min: 0,
      max: 1_000,
      default: 0,
      summary: 'number of the newest earlier events to begin with',
      helpValue: '<number>',
    }),
    'forward-to': custom<string>({ parse: async (text) => readTargetText(text) })({
      summary: 'address on this machine that gets events like a webhook',
      helpValue: '<url>',
    }),
    secret: string({
      env: 'PAYCTL_WEBHOOK_SECRET',
      summary: 'signing secret for forwarded events; - reads a line of standard input',
      helpValue: '-',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksListen)
    const { trigger } = flags
    const interrupted = interruption()
    const look = lookOf(process.stdout, process.env)
    const lines = await endlessText(flags, shape, (event) => listenLine(event, look))
    const url = flags['forward-to']
    const forwarding =
      url === undefined ? undefined : await openForwarding(url, await this.secret(flags), interrupted)
    this.say(flags, 'Listening; Ctrl-C ends it.')
    const position = new Position(flags.last, trigger)
    try {
      await follow({
        interrupted,
        say: (text) => this.say(flags, text),
        ask: async () => position.take((await this.ask(flags, position.request())).body),
        isBehind: () => position.isBehind,
        print: async (event) => {
          process.stdout.write(lines(event))
          await forwarding?.forward(event)
        },
      })
    } finally {
      await forwarding?.close()
    }
  }

  /** The given secret, or a new one, which is printed. */
  private async secret(choices: Choices & { readonly secret?: string | undefined }): Promise<string> {
    const { secret } = choices
    if (secret !== undefined) return await this.secretOf(choices, 'secret', ['webhook_secret'], secret)
    const [{ makeSigningSecret }, { systemRandom }] = await Promise.all([
      import('../../../domain/webhooks/signing-secret.js'),
      import('../../../platform/random.js'),
    ])
    const made = makeSigningSecret(systemRandom)
    process.stderr.write(`Signing with ${made}\n`)
    return made
  }
}

/** An event in one line; its time is formatted for a terminal or for programs. */
export function listenLine(
  { id, trigger, triggered_at: at, triggered_on_id: on, triggered_on_value: value }: JsonObject,
  look: Look,
): string {
  return `${cellOf(at, datetime(), look).text}  ${trigger}  ${on} ${value ?? ''}  ${id}`
}
