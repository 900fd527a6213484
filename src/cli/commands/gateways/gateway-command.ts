import type { ClientRequest, JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command.js'
import { type Choices, formatOf, writeFlags } from '../../terminal/global-flags.js'
import type { AnswerSchema } from '../../terminal/input/shape.js'
import { gatewayArgument, gatewayPath, gatewayShape as shape } from './gateway-target.js'

/** Operations on one gateway, by the verb of the command. */
const VERBS = {
  show: { summary: 'show a gateway; never its credentials', method: 'GET', action: '' },
  test: {
    summary: 'ask a gateway whether its credentials work, and what they allow',
    method: 'POST',
    action: '/test',
  },
  pause: {
    summary: 'send no new operations to a gateway; what is under way is still followed',
    method: 'POST',
    action: '/pause',
  },
  resume: { summary: 'send new operations to a gateway again', method: 'POST', action: '/resume' },
  remove: { summary: 'remove a gateway and its credentials', method: 'DELETE', action: '' },
} as const satisfies Record<string, Pick<ClientRequest, 'method'> & { summary: string; action: string }>

/** `payctl gateways <verb> GATEWAY` */
export function gatewayCommand(verb: keyof typeof VERBS) {
  const { summary, method, action } = VERBS[verb]
  return class Act extends PayctlCommand {
    static override summary = summary
    static override usage = `gateways ${verb} GATEWAY [flags]`
    static override examples = [`payctl gateways ${verb} up --env live`]
    static override args = { gateway: gatewayArgument }
    static override flags = verb === 'show' ? {} : writeFlags

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Act)
      const path = await gatewayPath(args.gateway, (request) => this.ask(flags, request))
      await this.send(flags, { method, path: `${path}${action}`, shape })
    }

    /** Prints a gateway; people see that a removed one is gone, where the interface answers its last state. */
    protected override async print(choices: Choices, body: JsonObject, shown: AnswerSchema): Promise<void> {
      const isGone = verb === 'remove' && !choices['dry-run'] && formatOf(choices) === 'table'
      await super.print(choices, isGone ? { ...body, status: 'removed' } : body, shown)
    }
  }
}
