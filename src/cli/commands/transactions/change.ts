import { writeFlags } from '../../terminal/global-flags.js'
import { WizardCommand } from '../../terminal/wizard/wizard-guide.js'
import {
  optionalPaymentArgument,
  transactionShape as shape,
  transaction,
  transactionPath,
} from './transaction-target.js'

/** A change of a payment's status, with its texts for help. */
interface StatusChange {
  readonly status: 'processed' | 'voided'
  readonly summary: string
  readonly examples: string[]
}

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
        : await this.chosen(flags, async (questions) => {
            const { paymentToChange } = await import('../wizards/payment-to-change.js')
            return await paymentToChange(questions, verb)
          })
      await this.send(flags, { method: 'PUT', path: transactionPath(id), body: { status }, shape })
    }
  }
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
