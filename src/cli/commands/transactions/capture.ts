import { writeFlags } from '../../terminal/global-flags.js'
import { WizardCommand } from '../../terminal/wizard/command.js'
import { optionalPaymentArgument, transactionShape as shape, transaction, transactionPath } from './target.js'

export class Capture extends WizardCommand {
  static override summary = 'take the money of an authorized payment'
  static override usage = 'transactions capture [PAYMENT] [flags]'
  static override description = 'Without a payment, one is chosen from a list on the terminal.'
  static override examples = ['payctl transactions capture txn_0V8c…']
  static override args = { payment: optionalPaymentArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Capture)
    const id = args.payment
      ? await this.idOf(flags, transaction, args.payment)
      : await this.chosen(flags, async (questions) => {
          const { paymentToChange } = await import('../wizards/payment-to-change.js')
          return await paymentToChange(questions, 'capture')
        })
    await this.send(flags, {
      method: 'PUT',
      path: transactionPath(id),
      body: { status: 'processed' },
      shape,
    })
  }
}
