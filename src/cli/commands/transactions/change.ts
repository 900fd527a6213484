import type { JsonObject } from '../../terminal/client/client.js'
import { Refusal } from '../../terminal/failure/failure.js'
import { type Choices, writeFlags } from '../../terminal/global-flags.js'
import { moneyText } from '../../terminal/output/cell.js'
import { WizardCommand } from '../../terminal/wizard/wizard-guide.js'
import {
  optionalPaymentArgument,
  transactionShape as shape,
  transaction,
  transactionPath,
  whichPayment,
} from './transaction-target.js'

/** A change of a payment's status, with its texts for help. */
interface StatusChange {
  readonly status: 'processed' | 'voided'
  readonly summary: string
  readonly examples: string[]
}

/** Filters of the payments that can be changed. */
const WHERE = { capture: 'status=authorized', void: 'funding_status=pending' } as const

/** `payctl transactions capture` and `void`. */
function changeCommand(verb: 'capture' | 'void', { status, summary, examples }: StatusChange) {
  return class Change extends WizardCommand {
    static override summary = summary
    static override usage = `transactions ${verb} [PAYMENT] [flags]`
    static override description = 'Without a payment, one is chosen from a list on the terminal.'
    static override examples = examples
    static override args = { payment: optionalPaymentArgument }
    static override flags = writeFlags

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Change)
      const id = args.payment
        ? await this.idOf(flags, transaction, args.payment)
        : await this.chosen(
            flags,
            async (questions) => {
              const { paymentToChange } = await import('../wizards/payment-to-change.js')
              return await paymentToChange(questions, verb)
            },
            whichPayment(verb, WHERE[verb]),
          )
      try {
        await this.send(flags, { method: 'PUT', path: transactionPath(id), body: { status }, shape })
      } catch (error) {
        throw error instanceof Refusal ? await this.withWay(flags, error, id) : error
      }
    }

    /** The refusal of a refund's void with its way: the payer is charged again by the same method. */
    private async withWay(choices: Choices, refusal: Refusal, id: string): Promise<Refusal> {
      if (verb !== 'void' || refusal.response.status !== 400) return refusal
      const { response, wording, isDry } = refusal
      const way = wayAfterRefund((await this.ask(choices, { method: 'GET', path: transactionPath(id) })).body)
      return new Refusal(response, wording, isDry, way)
    }
  }
}

/** How a refund is taken back; undefined for other transactions. */
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

export const Capture = changeCommand('capture', {
  status: 'processed',
  summary: 'take the money of an authorized payment',
  examples: ['payctl transactions capture txn_0V8c…'],
})
export const Void = changeCommand('void', {
  status: 'voided',
  summary: 'cancel a payment before it settles',
  examples: ['payctl transactions void txn_0V8c…', 'payctl transactions void txn_0V8c… --dry-run'],
})
