import { resources } from '../../../resources/resource-table.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { bankEvent, simulatedPaymentArgument } from './bank-event.js'

export class SimulateDisputeLost extends PayctlCommand {
  static override summary =
    'decide the newest dispute of a payment against the merchant, in the test environment'
  static override usage = 'simulate dispute-lost PAYMENT [flags]'
  static override examples = ['payctl simulate dispute-lost txn_0V8c…']
  static override args = { payment: simulatedPaymentArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SimulateDisputeLost)
    const id = await this.idOf(flags, resources.transaction, args.payment)
    await this.send(flags, { ...bankEvent, body: { event: 'dispute_lost', transaction_id: id } })
  }
}
