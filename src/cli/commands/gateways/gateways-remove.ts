import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf, writeFlags } from '../../terminal/command/global-flags.js'
import { Refusal } from '../../terminal/failure/failure.js'
import { reasonOf } from './connect-endpoint.js'
import { gatewayArgument, gatewayPath, gatewayShape as shape } from './gateway-target.js'

export class GatewaysRemove extends PayctlCommand {
  static override summary =
    'remove a gateway, its credentials, and its endpoint for notifications at the gateway'
  static override description =
    'Refused while operations at it have no outcome. If the endpoint cannot be removed at the gateway, a warning names it: remove it there.'
  static override usage = 'gateways remove GATEWAY [flags]'
  static override examples = ['payctl gateways remove up --env live']
  static override args = { gateway: gatewayArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GatewaysRemove)
    const path = await gatewayPath(args.gateway, (request) => this.ask(flags, request))
    const request = { method: 'DELETE', path } as const
    if (flags['dry-run']) return void (await this.send(flags, { ...request, shape }))
    // The endpoint is removed first, because that needs the credentials. The dry run before ensures that
    // the gateway itself can be removed.
    await this.ask(flags, { ...request, dryRun: true })
    try {
      await this.ask(flags, { method: 'POST', path: `${path}/remove_endpoint` })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.say(flags, `Warning: ${reasonOf(error)}`)
    }
    const { body } = await this.ask(flags, request)
    // A table shows `removed`; the API returns the last state of the gateway.
    await this.print(flags, formatOf(flags) === 'table' ? { ...body, status: 'removed' } : body, shape)
  }
}
