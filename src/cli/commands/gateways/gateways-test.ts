import process from 'node:process'
import { PayctlCommand } from '../../terminal/command.js'
import { EXIT } from '../../terminal/failure/exit-codes.js'
import { formatOf, writeFlags } from '../../terminal/global-flags.js'
import { prose } from '../../terminal/input/shape.js'
import { gatewayArgument, gatewayPath, gatewayShape } from './gateway-target.js'
import { failedChecks, shownChecks } from './shown-checks.js'

export class GatewaysTest extends PayctlCommand {
  static override summary =
    'check at a gateway what live payments need of it, and close its circuits if all is well'
  static override description =
    'Looks up the account, what it may take, whether outcomes can be queried, and the endpoint for notifications. No money ' +
    'moves. ✓ works, ✗ keeps payments from working, – limits what the gateway can be used for. Exit 8 when something failed.'
  static override usage = 'gateways test GATEWAY [flags]'
  static override examples = [
    'payctl gateways test up --env live',
    'payctl gateways test up --env live --json',
  ]
  static override args = { gateway: gatewayArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GatewaysTest)
    const path = await gatewayPath(args.gateway, (request) => this.ask(flags, request))
    const request = { method: 'POST', path: `${path}/test` } as const
    if (flags['dry-run'] || formatOf(flags) !== 'table') {
      const { body } = await this.send(flags, { ...request, shape: gatewayShape })
      if (failedChecks(body).length > 0) process.exitCode = EXIT.partly
      return
    }
    const { body } = await this.ask(flags, request)
    await this.print(flags, { object: 'list', values: [...shownChecks(body)] }, prose)
    const failed = failedChecks(body)
    this.say(flags, failed.length === 0 ? `${args.gateway} works.` : `Failed: ${failed.join(', ')}`)
    if (failed.length > 0) process.exitCode = EXIT.partly
  }
}
