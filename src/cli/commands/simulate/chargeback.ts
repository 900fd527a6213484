import { resources } from '../../../resources/resource-table.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { moneyFlag } from '../../terminal/command/resource-flags.js'
import { bankEvent, simulatedPaymentArgument } from './bank-event.js'

export class SimulateChargeback extends PayctlCommand {
  static override summary = "simulate a chargeback of a payment by the payer's bank, in the test environment"
  static override usage = 'simulate chargeback PAYMENT [--amount <amount>] [flags]'
  static override examples = [
    'payctl simulate chargeback txn_0V8c…',
    'payctl simulate chargeback txn_0V8c… --amount 12.50',
  ]
  static override args = { payment: simulatedPaymentArgument }
  static override flags = {
    amount: moneyFlag({
      summary: 'amount that the bank takes; the whole payment with its convenience fee unless given',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SimulateChargeback)
    const id = await this.idOf(flags, resources.transaction, args.payment)
    const { amount } = flags
    const body = {
      event: 'chargeback',
      transaction_id: id,
      ...(amount !== undefined && { amount }),
    }
    await this.send(flags, { ...bankEvent, body })
  }
}
