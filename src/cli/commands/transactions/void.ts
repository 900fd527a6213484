import { PayctlCommand } from '../../terminal/command.js'
import { writeFlags } from '../../terminal/global-flags.js'
import { paymentArgument, transactionShape as shape, transactionPath } from './target.js'

export class Void extends PayctlCommand {
  static override summary = 'cancel a payment before it settles'
  static override usage = 'transactions void PAYMENT [flags]'
  static override examples = [
    'payctl transactions void txn_0V8c…',
    'payctl transactions void txn_0V8c… --dry-run',
  ]
  static override args = { payment: paymentArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Void)
    await this.send(flags, {
      method: 'PUT',
      path: transactionPath(args.payment),
      body: { status: 'voided' },
      shape,
    })
  }
}
