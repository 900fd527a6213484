import { string as argument } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { SIMULATED_TRIGGERS, type Trigger } from '../../../resources/trigger.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { Refusal, UsageError } from '../../terminal/failure/failure.js'
import { isObject } from '../../terminal/input/body.js'
import { type AnswerSchema, shapeOfFields } from '../../terminal/input/shape.js'
import type { Ask } from './ask.js'
import { RECIPES } from './recipes.js'

const { read_events: readEvents } = adminOperations
const shape: AnswerSchema = {
  ...shapeOfFields(registry, readEvents.output.events.fields),
  columns: ['id', 'trigger', 'triggered_on_id', 'triggered_on_value', 'triggered_at'].map((name) => [name]),
}

export class WebhooksTrigger extends PayctlCommand {
  static override summary = 'fire a trigger by a real operation, in the test environment'
  static override description =
    'The operation uses the object of --on, or creates new objects. deposit and reversal move the ' +
    'clock of the test environment forward by three days.'
  static override usage = 'webhooks trigger EVENT [--on <id>] [flags]'
  static override examples = [
    'payctl webhooks trigger payment',
    'payctl webhooks trigger refund --on txn_0V8c…',
    'payctl webhooks trigger deposit',
  ]
  static override args = {
    event: argument({ required: true, description: 'the trigger', options: [...SIMULATED_TRIGGERS] }),
  }
  static override flags = {
    on: string({
      summary: 'object of the operation: a payment (void, refund, reject), customer or processing account',
      helpValue: '<id>',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksTrigger)
    if (flags.env !== 'test') throw new UsageError('webhooks trigger works in the test environment only')
    const trigger = SIMULATED_TRIGGERS.find((known) => known === args.event)
    if (trigger === undefined) throw new UsageError(`There is no trigger ${args.event}`)
    const ask: Ask = async (method, path, body, query) => {
      try {
        return (await this.ask(flags, { method, path, ...(body && { body }), ...(query && { query }) })).body
      } catch (error) {
        if (trigger === 'decline' && isDeclined(error)) return error.response.body
        throw error
      }
    }
    const recipe = RECIPES[trigger]
    if (recipe.movesClock && !(trigger === 'reversal' && flags.on !== undefined))
      this.say(flags, 'Moving the clock of the test environment forward by three days …')
    const id = await recipe.happen(ask, flags.on)
    await this.print(flags, await this.fired(ask, trigger, id), shape)
  }

  /** The newest event of a trigger about an object. */
  private async fired(ask: Ask, trigger: Trigger, id: string): Promise<JsonObject> {
    const { events } = await ask('GET', `/${readEvents.path}`, undefined, [
      ['trigger', trigger],
      ['limit', '1000'],
    ])
    const found = (Array.isArray(events) ? events.filter(isObject) : []).filter(
      ({ triggered_on_id: on }) => on === id,
    )
    return { object: 'list', values: found.slice(-1) }
  }
}

function isDeclined(error: unknown): error is Refusal {
  return error instanceof Refusal && error.response.body.error_type === 'TransactionDeclined'
}
