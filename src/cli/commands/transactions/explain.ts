import process from 'node:process'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { PayctlCommand } from '../../terminal/command.js'
import { registry } from '../../terminal/declared.js'
import { formatOf } from '../../terminal/global-flags.js'
import { shapeOfAnswer, shapeOfFields } from '../../terminal/input/shape.js'
import { paymentArgument } from './target.js'

const { explain_transaction: explain } = adminOperations
const answer = shapeOfAnswer(registry, explain)
const steps = shapeOfFields(registry, explain.output.steps.fields)

export class Explain extends PayctlCommand {
  static override summary = explain.summary
  static override usage = 'transactions explain TRANSACTION [flags]'
  static override examples = ['payctl transactions explain txn_0V8c…']
  static override args = { transaction: { ...paymentArgument, description: 'id of the transaction' } }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Explain)
    const { body } = await this.ask(flags, {
      method: explain.method,
      path: `/${explain.path}`,
      query: [['transaction_id', args.transaction]],
    })
    if (formatOf(flags) !== 'table') {
      await this.print(flags, body, answer)
      return
    }
    const { steps: values, ...rest } = body
    await this.print(flags, rest, answer)
    process.stdout.write('\n')
    await this.print(flags, { object: 'list', values: values ?? [] }, steps)
  }
}
