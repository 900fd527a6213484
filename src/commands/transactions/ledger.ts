import { resources } from '../../resources/index.js'
import { PayctlCommand } from '../../terminal/command.js'
import { shapeOf } from '../../terminal/shape.js'
import { registry } from '../declared.js'
import { paymentArgument, transactionPath } from './target.js'

const shape = shapeOf(registry, resources.transaction_ledger)

export class Ledger extends PayctlCommand {
  static override summary = 'show what a transaction is related to, and the amounts that moved'
  static override usage = 'transactions ledger TRANSACTION [flags]'
  static override examples = ['payctl transactions ledger txn_0V8c…']
  static override args = { transaction: { ...paymentArgument, description: 'id of the transaction' } }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Ledger)
    await this.send(flags, { method: 'GET', path: `${transactionPath(args.transaction)}/ledger`, shape })
  }
}
