import { string as argument } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { SIMULATED_TRIGGERS } from '../../../resources/trigger.js'
import { objectsIn } from '../../../schema/answer-values.js'
import { runScenario } from '../../terminal/client/scenario.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { type AnswerSchema, shapeOfFields } from '../../terminal/input/shape.js'
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
    const recipe = RECIPES[trigger]
    if (recipe.movesClock && !(trigger === 'reversal' && flags.on !== undefined))
      this.say(flags, 'Moving the clock of the test environment forward by three days …')
    const fired = await runScenario(
      async (ask) => {
        const id = await recipe.happen(ask, flags.on)
        const answer = await ask(
          'GET',
          `/${readEvents.path}?trigger=${encodeURIComponent(trigger)}&limit=1000`,
        )
        return objectsIn(answer, 'events').filter(({ triggered_on_id: on }) => on === id)
      },
      (request) => this.ask(flags, request),
    )
    await this.print(flags, { object: 'list', values: fired.slice(-1) }, shape)
  }
}
