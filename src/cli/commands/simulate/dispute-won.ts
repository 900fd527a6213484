import { resources } from '../../../resources/resource-table.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { bankEvent, simulatedPaymentArgument } from './bank-event.js'

export class SimulateDisputeWon extends PayctlCommand {
  static override summary = 'reverse the newest chargeback of a payment, in the test environment'
  static override usage = 'simulate dispute-won PAYMENT [flags]'
  static override examples = ['payctl simulate dispute-won txn_0V8c…']
  static override args = { payment: simulatedPaymentArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SimulateDisputeWon)
    const id = await this.idOf(flags, resources.transaction, args.payment)
    await this.send(flags, { ...bankEvent, body: { event: 'dispute_won', transaction_id: id } })
  }
}
