import { boolean, string } from '@oclif/core/flags'
import type { ClientRequest, JsonObject } from '../../terminal/client/client.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { flagsFor } from '../../terminal/command/resource-flags.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { has, isObject, put } from '../../terminal/input/body.js'
import { requireDestinationOf } from '../../terminal/paging/destination.js'
import { promptsFor } from '../../terminal/prompts/prompts.js'
import { type Guide, interactiveFlag, resumeFlag, WizardCommand } from '../../terminal/wizard/wizard-guide.js'
import { methodFromFlags, withMethod } from './method.js'
import { fieldsNeeded } from './pay-fields.js'
import { transactionShape as shape, transaction } from './transaction-target.js'

const PAYER = ['customer_id']
const SAVED = ['payment_method_id']
const METHOD = ['payment_method', 'type']

export class Pay extends WizardCommand {
  static override summary = 'charge a payment to a card or a bank account'
  static override description =
    'A terminal prompts for missing values. With --customer alone, the default method of the customer pays. Card number and CVV can also be read from a line of standard input ' +
    'each (--card -) or from PAYCTL_CARD_NUMBER and PAYCTL_CARD_CODE.'
  static override usage = 'transactions pay [--amount <amount>] [flags]'
  static override examples = [
    'payctl transactions pay',
    'payctl transactions pay --amount 29.99 --gateway-token pm_1Q2w…',
    'payctl transactions pay --amount 29.99 --card - --expiry 12/30',
    'payctl transactions pay --amount 29.99 --customer acct_0V8c…',
    'payctl transactions pay --amount 1,250.00 --bank-account - --routing 122101706 --account-type checking',
    'payctl transactions pay --amount 80 --card - --expiry 12/30 --authorize',
  ]
  static override flags = {
    ...flagsFor(fieldsNeeded(undefined)),
    'gateway-token': string({
      summary: 'instead of a number, the token of the method at a gateway',
      helpValue: '<text>',
      exclusive: ['card', 'bank-account', 'payment-method'],
    }),
    gateway: string({
      summary: 'with --gateway-token, the gateway of the token; by default the gateway for card payments',
      helpValue: '<name>',
      dependsOn: ['gateway-token'],
    }),
    authorize: boolean({ summary: 'only authorize; capture or void it later' }),
    'use-once': boolean({ summary: 'do not keep the payment method' }),
    interactive: interactiveFlag,
    resume: resumeFlag,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Pay)
    const given: GivenFlags = flags
    // `promptsFor` is called directly: the only question here is whether there is a terminal.
    const mayAsk = flags.interactive || flags.resume || promptsFor(flags['no-input']) !== undefined
    const token = flags['gateway-token']
    const method = token === undefined ? methodFromFlags(given, mayAsk) : undefined
    const body: JsonObject = { type: 'payment' }
    if (flags.authorize) put(body, ['status'], 'authorized')
    if (flags['use-once']) put(body, ['payment_method', 'keep_active'], false)
    if (token !== undefined) {
      const gateway = flags.gateway ?? (await cardGateway((request) => this.ask(flags, request)))
      put(body, ['payment_method', 'type'], 'card')
      put(body, ['payment_method', 'gateway_token'], { gateway, token })
    }
    const guide: Guide = {
      resource: transaction,
      descriptions: fieldsNeeded(method),
      lacks: (known) => ![PAYER, SAVED, METHOD].some((path) => has(known, path)),
      load: async () => (await import('../wizards/pay-wizard.js')).payWizard,
    }
    const complete = await this.complete(flags, guide, given, withMethod(body, method))
    // In the live environment without `--confirm live`, the request needs a confirmation first, so the destination is
    // not checked here.
    if (flags.env !== 'live' || flags.confirm === 'live')
      await requireDestinationOf((request) => this.ask(flags, request), complete, '--processing')
    await this.send(flags, { method: 'POST', path: '/transactions', body: complete, shape })
  }
}

/** Name of the gateway for card payments of all accounts. Throws a `UsageError` if there is none. */
async function cardGateway(
  ask: (request: ClientRequest) => Promise<{ readonly body: JsonObject }>,
): Promise<string> {
  const { routes } = (await ask({ method: 'GET', path: '/admin/gateway_routes' })).body
  const all = Array.isArray(routes) ? routes.filter(isObject) : []
  const general = all.filter(({ processing_id: account }) => account === null)
  const route =
    general.find(({ method }) => method === 'card') ?? general.find(({ method }) => method === null)
  if (typeof route?.gateway !== 'string')
    throw new UsageError('Missing --gateway: no gateway is routed to by default')
  return route.gateway
}
