import { boolean } from '@oclif/core/flags'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import {
  paymentArgument,
  transactionShape as shape,
  transaction,
  transactionPath,
} from './transaction-target.js'

export class Review extends PayctlCommand {
  static override summary = 'allow or deny a payment that is held for review'
  static override usage = 'transactions review PAYMENT --allow|--deny [flags]'
  static override examples = [
    "payctl transactions list --where 'risk_flag=in_review'",
    'payctl transactions review txn_0V8c… --allow',
  ]
  static override args = { payment: paymentArgument }
  static override flags = {
    allow: boolean({ summary: 'give it the status that was requested', exactlyOne: ['allow', 'deny'] }),
    deny: boolean({ summary: 'void it' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Review)
    const id = await this.idOf(flags, transaction, args.payment)
    await this.send(flags, {
      method: 'POST',
      path: `${transactionPath(id)}/review`,
      body: { decision: flags.allow ? 'allow' : 'deny' },
      shape,
    })
  }
}
