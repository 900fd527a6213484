import { string } from '@oclif/core/flags'
import type { Json, JsonObject } from '../../terminal/client.js'
import { PayctlCommand } from '../../terminal/command.js'
import { moneyFlag } from '../../terminal/flags.js'
import { type Choices, writeFlags } from '../../terminal/global-flags.js'
import { paymentArgument, transactionShape as shape, transactionPath } from './target.js'

export class Refund extends PayctlCommand {
  static override summary = 'refund a payment, in full or in part'
  static override usage = 'transactions refund PAYMENT [--amount <amount>] [flags]'
  static override examples = [
    'payctl transactions refund txn_0V8c…',
    'payctl transactions refund txn_0V8c… --amount 12.50 --dry-run',
  ]
  static override args = { payment: paymentArgument }
  static override flags = {
    amount: moneyFlag({
      summary: "less than the payment for a partial refund; the payment's amount unless given",
    }),
    description: string({ summary: 'why', helpValue: '<text>' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Refund)
    const amount = flags.amount ?? (await this.amountOf(flags, args.payment))
    const body: JsonObject = {
      type: 'refund',
      amount,
      ...(flags.description !== undefined && { description: flags.description }),
      ledger: [{ assoc_transaction_id: args.payment }],
    }
    await this.send(flags, { method: 'POST', path: '/transactions', body, shape })
  }

  /** A full refund is one of the payment's amount. */
  private async amountOf(choices: Choices, payment: string): Promise<Json> {
    const { body } = await this.ask(choices, { method: 'GET', path: transactionPath(payment) })
    return body.amount ?? null
  }
}
