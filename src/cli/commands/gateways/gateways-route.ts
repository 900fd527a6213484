import { string } from '@oclif/core/flags'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { shapeOfAnswer } from '../../terminal/input/shape.js'

const { read_gateway_routes: read, set_gateway_routes: set } = adminOperations
const shape = shapeOfAnswer(registry, set)
const name = { helpValue: '<name>' }

export class GatewaysRoute extends PayctlCommand {
  static override summary = 'set which gateway new payments go to; without a flag, show the routes'
  static override usage = 'gateways route [--default <name>] [--card <name>] [--bank-account <name>] [flags]'
  static override examples = [
    'payctl gateways route --env live --default up',
    'payctl gateways route --env live --bank-account bank --processing acct_0V8c…',
    'payctl gateways route --env live --default up --processing acct_0V8c… --merchant acct_0K2d…',
    'payctl gateways route --env live --card none',
  ]
  static override flags = {
    default: string({ ...name, summary: 'gateway for every kind of payment method; none: no gateway' }),
    card: string({ ...name, summary: 'gateway for cards' }),
    'bank-account': string({ ...name, summary: 'gateway for bank accounts' }),
    processing: string({ summary: 'for this processing account only', helpValue: '<id>' }),
    merchant: string({
      summary: "with --processing, the merchant's account at the gateway",
      helpValue: '<id>',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(GatewaysRoute)
    const routes = { default: flags.default, card: flags.card, bank_account: flags['bank-account'] }
    const given = Object.entries(routes).flatMap(([method, to]): [string, string | null][] =>
      to === undefined ? [] : [[method, to === 'none' ? null : to]],
    )
    if (given.length === 0 && flags.processing !== undefined)
      throw new UsageError('Missing --default, --card or --bank-account')
    if (given.length === 0)
      return void (await this.send(flags, { method: 'GET', path: `/${read.path}`, shape }))
    const body = {
      ...Object.fromEntries(given),
      ...(flags.processing !== undefined && { processing_id: flags.processing }),
      ...(flags.merchant !== undefined && { merchant: flags.merchant }),
    }
    await this.send(flags, { method: 'PUT', path: `/${set.path}`, body, shape })
  }
}
