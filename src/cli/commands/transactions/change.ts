import { boolean } from '@oclif/core/flags'
import type { JsonObject } from '../../terminal/client/client.js'
import { type Choices, writeFlags } from '../../terminal/command/global-flags.js'
import { moneyFlag } from '../../terminal/command/resource-flags.js'
import { Refusal } from '../../terminal/failure/failure.js'
import { moneyText } from '../../terminal/output/cell.js'
import { WizardCommand } from '../../terminal/wizard/wizard-guide.js'
import {
  optionalPaymentArgument,
  transactionShape as shape,
  transaction,
  transactionPath,
  whichPayment,
} from './transaction-target.js'

const description = 'Without a payment, one is chosen from a list on the terminal.'

/** Filters of the payments that can be changed. */
const WHERE = { capture: 'status=authorized', void: 'funding_status=pending' } as const

/** Base of commands that change one payment. If no payment is named, the operator chooses one from a list. */
abstract class ChangeCommand extends WizardCommand {
  protected async paymentFor(
    flags: Choices,
    named: string | undefined,
    verb: 'capture' | 'void',
  ): Promise<string> {
    if (named) return await this.idOf(flags, transaction, named)
    return await this.chosen(
      flags,
      async (questions) => {
        const { paymentToChange } = await import('../wizards/payment-to-change.js')
        return await paymentToChange(questions, verb)
      },
      whichPayment(verb, WHERE[verb]),
    )
  }
}

export class Capture extends ChangeCommand {
  static override summary = 'capture an authorized payment, in full or in part'
  static override usage = 'transactions capture [PAYMENT] [--amount <amount>] [--allow-unallocated] [flags]'
  static override description = description
  static override examples = [
    'payctl transactions capture txn_0V8c…',
    'payctl transactions capture txn_0V8c… --amount 12.50',
  ]
  static override args = { payment: optionalPaymentArgument }
  static override flags = {
    amount: moneyFlag({ summary: 'a part of the payment; the rest is released' }),
    'allow-unallocated': boolean({
      summary: 'capture the whole amount even if the invoices that it pays owe less; the rest pays none',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Capture)
    const path = transactionPath(await this.paymentFor(flags, args.payment, 'capture'))
    const { amount, 'allow-unallocated': allowed } = flags
    const terms = { ...(amount !== undefined && { amount }), ...(allowed && { allow_unallocated: true }) }
    const isPlain = Object.keys(terms).length === 0
    await this.send(
      flags,
      isPlain
        ? { method: 'PUT', path, body: { status: 'processed' }, shape }
        : { method: 'POST', path: `${path}/capture`, body: terms, shape },
    )
  }
}

export class Void extends ChangeCommand {
  static override summary = 'cancel a payment before it settles'
  static override usage = 'transactions void [PAYMENT] [flags]'
  static override description = description
  static override examples = [
    'payctl transactions void txn_0V8c…',
    'payctl transactions void txn_0V8c… --dry-run',
  ]
  static override args = { payment: optionalPaymentArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Void)
    const path = transactionPath(await this.paymentFor(flags, args.payment, 'void'))
    try {
      await this.send(flags, { method: 'PUT', path, body: { status: 'voided' }, shape })
    } catch (error) {
      throw error instanceof Refusal ? await this.withWay(flags, error, path) : error
    }
  }

  /**
   * The refusal of a void. If the transaction is a refund, the refusal also names the command that charges the payer
   * again with the same method.
   */
  private async withWay(choices: Choices, refusal: Refusal, path: string): Promise<Refusal> {
    const { response, wording, isDry } = refusal
    if (response.status !== 400) return refusal
    const way = wayAfterRefund((await this.ask(choices, { method: 'GET', path })).body)
    return new Refusal(response, wording, isDry, way)
  }
}

/** Command that charges the payer of a refund again; undefined for other transactions. */
function wayAfterRefund({
  type,
  amount = null,
  payment_method_id: method,
  customer_id: customer,
}: JsonObject): string | undefined {
  if (type !== 'refund') return undefined
  const payer = typeof customer === 'string' ? ` --customer ${customer}` : ''
  return (
    'A refund is not taken back; take the money again: ' +
    `payctl transactions pay --payment-method ${String(method)}${payer} --amount ${moneyText(amount)}`
  )
}
