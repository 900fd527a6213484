import { boolean } from '@oclif/core/flags'
import { put } from '../../terminal/body.js'
import type { JsonObject } from '../../terminal/client.js'
import { collect, type GivenFlags } from '../../terminal/collect.js'
import { PayctlCommand } from '../../terminal/command.js'
import { flagsFor } from '../../terminal/flags.js'
import { writeFlags } from '../../terminal/global-flags.js'
import { methodOf, withMethod } from './method.js'
import { fieldsNeeded, payFields } from './pay-fields.js'
import { transactionShape as shape } from './target.js'

export class Pay extends PayctlCommand {
  static override summary = 'take a payment by card or from a bank account'
  static override description =
    'Without a method whoever sits at the terminal is asked for a card; card number and CVV are also read from a ' +
    'line of standard input each (--card -) or from PAYCTL_CARD_NUMBER and PAYCTL_CARD_CODE.'
  static override usage = 'transactions pay --amount <amount> [flags]'
  static override examples = [
    'payctl transactions pay --amount 29.99 --card 4111111111111111 --expiry 12/30',
    'payctl transactions pay --amount 29.99 --customer acct_0V8c…',
    'payctl transactions pay --amount 1,250.00 --bank-account - --routing 122101706 --account-type checking',
    'payctl transactions pay --amount 80 --card - --expiry 12/30 --authorize',
  ]
  static override flags = {
    ...flagsFor(payFields),
    authorize: boolean({ summary: 'only authorize; capture or void it later' }),
    'use-once': boolean({ summary: 'do not keep the payment method' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Pay)
    const given: GivenFlags = flags
    const sources = this.sources(flags)
    const method = methodOf(given, sources.prompts !== undefined)
    const body: JsonObject = { type: 'payment' }
    if (flags.authorize) put(body, ['status'], 'authorized')
    if (flags['use-once']) put(body, ['payment_method', 'keep_active'], false)
    const complete = await collect(fieldsNeeded(method), given, withMethod(body, method), sources)
    await this.send(flags, { method: 'POST', path: '/transactions', body: complete, shape })
  }
}
