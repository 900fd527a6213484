import { PayctlCommand } from '../../terminal/command.js'
import { writeFlags } from '../../terminal/global-flags.js'
import { paymentArgument, transactionShape as shape, transaction, transactionPath } from './target.js'

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
    const id = await this.idOf(flags, transaction, args.payment)
    await this.send(flags, {
      method: 'PUT',
      path: transactionPath(id),
      body: { status: 'voided' },
      shape,
    })
  }
}
