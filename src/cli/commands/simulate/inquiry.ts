import { resources } from '../../../resources/resource-table.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { bankEvent, simulatedPaymentArgument } from './bank-event.js'

export class SimulateInquiry extends PayctlCommand {
  static override summary = "simulate an inquiry of the payer's bank about a payment, in the test environment"
  static override description = 'No money moves, and the payment stays refundable. A chargeback may follow.'
  static override usage = 'simulate inquiry PAYMENT [flags]'
  static override examples = ['payctl simulate inquiry txn_0V8c…']
  static override args = { payment: simulatedPaymentArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SimulateInquiry)
    const id = await this.idOf(flags, resources.transaction, args.payment)
    await this.send(flags, { ...bankEvent, body: { event: 'inquiry', transaction_id: id } })
  }
}
