import { string } from '@oclif/core/flags'
import { resources } from '../../../resources/resource-table.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { moneyFlag } from '../../terminal/command/resource-flags.js'
import { bankEvent, simulatedPaymentArgument } from './bank-event.js'

export class SimulateReturn extends PayctlCommand {
  static override summary = 'simulate the return of a payment from a bank account, in the test environment'
  static override usage = 'simulate return PAYMENT [--code <code>] [flags]'
  static override examples = [
    'payctl simulate return txn_0V8c…',
    'payctl simulate return txn_0V8c… --code R08',
  ]
  static override args = { payment: simulatedPaymentArgument }
  static override flags = {
    amount: moneyFlag({
      summary: 'amount that the bank takes; the whole payment with its convenience fee unless given',
    }),
    code: string({
      summary: 'return code, R01 to R33; R01 (insufficient balance) unless given',
      helpValue: '<code>',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SimulateReturn)
    const id = await this.idOf(flags, resources.transaction, args.payment)
    const { amount, code } = flags
    const body = {
      event: 'return',
      transaction_id: id,
      ...(amount !== undefined && { amount }),
      ...(code !== undefined && { code }),
    }
    await this.send(flags, { ...bankEvent, body })
  }
}
