import { boolean } from '@oclif/core/flags'
import { writeFlags } from '../../terminal/global-flags.js'
import { moneyFlag } from '../../terminal/resource-flags.js'
import { WizardCommand } from '../../terminal/wizard/wizard-guide.js'
import {
  optionalPaymentArgument,
  transactionShape as shape,
  transaction,
  transactionPath,
} from './transaction-target.js'

const description = 'Without a payment, one is chosen from a list on the terminal.'

/** A command that changes one payment, which is chosen from a list if it is not named. */
abstract class ChangeCommand extends WizardCommand {
  protected async paymentFor(
    flags: Parameters<WizardCommand['chosen']>[0],
    named: string | undefined,
    verb: 'capture' | 'void',
  ): Promise<string> {
    if (named) return await this.idOf(flags, transaction, named)
    return await this.chosen(flags, async (questions) => {
      const { paymentToChange } = await import('../wizards/payment-to-change.js')
      return await paymentToChange(questions, verb)
    })
  }
}

export class Capture extends ChangeCommand {
  static override summary = 'take the money of an authorized payment, all or a part of it'
  static override usage = 'transactions capture [PAYMENT] [--amount <amount>] [--allow-unallocated] [flags]'
  static override description = description
  static override examples = [
    'payctl transactions capture txn_0V8c…',
    'payctl transactions capture txn_0V8c… --amount 12.50',
  ]
  static override args = { payment: optionalPaymentArgument }
  static override flags = {
    amount: moneyFlag({ summary: 'a part of the payment; the rest is released' }),
    'allow-unallocated': boolean({
      summary: 'take also what no longer fits the invoices that it was to pay',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Capture)
    const path = transactionPath(await this.paymentFor(flags, args.payment, 'capture'))
    const { amount, 'allow-unallocated': allowed } = flags
    const terms = { ...(amount !== undefined && { amount }), ...(allowed && { allow_unallocated: true }) }
    const isPlain = Object.keys(terms).length === 0
    await this.send(
      flags,
      isPlain
        ? { method: 'PUT', path, body: { status: 'processed' }, shape }
        : { method: 'POST', path: `${path}/capture`, body: terms, shape },
    )
  }
}

export class Void extends ChangeCommand {
  static override summary = 'cancel a payment before it settles'
  static override usage = 'transactions void [PAYMENT] [flags]'
  static override description = description
  static override examples = [
    'payctl transactions void txn_0V8c…',
    'payctl transactions void txn_0V8c… --dry-run',
  ]
  static override args = { payment: optionalPaymentArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Void)
    const path = transactionPath(await this.paymentFor(flags, args.payment, 'void'))
    await this.send(flags, { method: 'PUT', path, body: { status: 'voided' }, shape })
  }
}
