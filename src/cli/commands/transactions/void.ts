import { writeFlags } from '../../terminal/global-flags.js'
import { WizardCommand } from '../../terminal/wizard/command.js'
import { optionalPaymentArgument, transactionShape as shape, transaction, transactionPath } from './target.js'

export class Void extends WizardCommand {
  static override summary = 'cancel a payment before it settles'
  static override usage = 'transactions void [PAYMENT] [flags]'
  static override description = 'Without a payment, one is chosen from a list on the terminal.'
  static override examples = [
    'payctl transactions void txn_0V8c…',
    'payctl transactions void txn_0V8c… --dry-run',
  ]
  static override args = { payment: optionalPaymentArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Void)
    const id = args.payment
      ? await this.idOf(flags, transaction, args.payment)
      : await this.chosen(flags, async (questions) => {
          const { paymentToChange } = await import('../wizards/payment-to-change.js')
          return await paymentToChange(questions, 'void')
        })
    await this.send(flags, {
      method: 'PUT',
      path: transactionPath(id),
      body: { status: 'voided' },
      shape,
    })
  }
}
