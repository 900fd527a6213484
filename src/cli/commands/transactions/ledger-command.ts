import { resources } from '../../../resources/resource-table.js'
import { ListCommand } from '../../terminal/command/list-command.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { fieldsQuery } from '../../terminal/input/query-text.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { paymentArgument, transaction, transactionPath } from './transaction-target.js'

const shape = shapeOf(registry, resources.transaction_ledger)

export class Ledger extends ListCommand {
  static override summary = 'show the related transactions, and the amounts that moved'
  static override usage = 'transactions ledger TRANSACTION [flags]'
  static override examples = ['payctl transactions ledger txn_0V8c…']
  static override args = {
    transaction: { ...paymentArgument, description: 'id of the transaction, or its ref_number' },
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Ledger)
    const path = `${transactionPath(await this.idOf(flags, transaction, args.transaction))}/ledger`
    const query = fieldsQuery(flags.fields ?? flags.columns)
    await this.list(flags, { method: 'GET', path, query }, { shape, most: Number.POSITIVE_INFINITY })
  }
}
