import { PayctlCommand } from '../../terminal/command.js'
import { writeFlags } from '../../terminal/global-flags.js'
import { paymentArgument, transactionShape as shape, transaction, transactionPath } from './target.js'

export class Capture extends PayctlCommand {
  static override summary = 'take the money of an authorized payment'
  static override usage = 'transactions capture PAYMENT [flags]'
  static override examples = ['payctl transactions capture txn_0V8c…']
  static override args = { payment: paymentArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Capture)
    const id = await this.idOf(flags, transaction, args.payment)
    await this.send(flags, {
      method: 'PUT',
      path: transactionPath(id),
      body: { status: 'processed' },
      shape,
    })
  }
}
