import { APPROVED_CARDS, DECLINING_CARDS } from '../../../schema/test-cards.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { shapeless } from '../../terminal/input/shape.js'

const MORE = `Any other number in the format of a card is approved too. Every card needs an
expiry in the future; any card code will do.

  --payment-method.billing-address.street-address '999 Main St'   wrong street (avs)
  --payment-method.billing-address.postal-code 99999              wrong postal code

Bank accounts: any account number, with the routing number of a bank, such as
110000000. What banks do later:

  payctl simulate chargeback TXN    the payer's bank takes the money back
  payctl simulate dispute-won TXN   the merchant keeps it after all
  payctl simulate return TXN        a payment from a bank account is returned
  payctl clock advance 2d           settlement, retries and schedules of two days
`

/** `payctl help test-cards`: card numbers, and how the test environment answers each number. */
export class HelpTestCards extends PayctlCommand {
  static override summary = 'card and account numbers of the test environment, and the answer to each'
  static override usage = 'help test-cards'
  static override examples = ['payctl help test-cards', 'payctl help test-cards --json']
  protected override readonly underProfile = false

  async run(): Promise<void> {
    const { flags } = await this.parse(HelpTestCards)
    const approved = APPROVED_CARDS.map(([card_number, brand]) => ({
      card_number,
      answer: 'approved',
      brand,
    }))
    const declined = [...DECLINING_CARDS].map(([card_number, answer]) => ({
      card_number,
      answer,
      brand: 'Visa',
    }))
    const values = [...approved, ...declined]
    if (formatOf(flags) !== 'table') {
      await this.print(flags, { object: 'list', values }, shapeless)
      return
    }
    const lines = values.map(
      ({ card_number, answer, brand }) => `  ${card_number.padEnd(16)}  ${answer.padEnd(19)}  ${brand}`,
    )
    await this.page(
      flags,
      `Cards of the test environment, where no money moves:\n\n${lines.join('\n')}\n\n${MORE}`,
    )
  }
}
