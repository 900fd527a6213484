import { string } from '@oclif/core/flags'
import { NO_ID, NOT_FOUND } from '../../../schema/problem.js'
import type { Json, JsonObject } from '../../terminal/client/client.js'
import { type Choices, writeFlags } from '../../terminal/command/global-flags.js'
import { moneyFlag } from '../../terminal/command/resource-flags.js'
import { missingObject, Refusal, UsageError } from '../../terminal/failure/failure.js'
import { isObject, valueAt } from '../../terminal/input/body.js'
import { promptsFor } from '../../terminal/prompts/prompts.js'
import { type Guide, interactiveFlag, resumeFlag, WizardCommand } from '../../terminal/wizard/wizard-guide.js'
import { payFields } from './pay-fields.js'
import {
  optionalPaymentArgument,
  transactionShape as shape,
  transaction,
  transactionPath,
  whichPayment,
} from './transaction-target.js'

interface Typed extends Choices {
  readonly amount?: number | undefined
  readonly description?: string | undefined
  readonly interactive: boolean
  readonly resume: boolean
}

export class Refund extends WizardCommand {
  static override summary = 'refund a payment, in full or in part'
  static override usage = 'transactions refund [PAYMENT] [--amount <amount>] [flags]'
  static override description = 'Without a payment, one is chosen from a list on the terminal.'
  static override examples = [
    'payctl transactions refund',
    'payctl transactions refund txn_0V8c…',
    'payctl transactions refund txn_0V8c… --amount 12.50 --dry-run',
  ]
  static override args = { payment: optionalPaymentArgument }
  static override flags = {
    amount: moneyFlag({
      summary: "less than the payment for a partial refund; the payment's amount unless given",
    }),
    description: string({ summary: 'why', helpValue: '<text>' }),
    interactive: interactiveFlag,
    resume: resumeFlag,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Refund)
    const payment = args.payment && (await this.idOf(flags, transaction, args.payment))
    const guided = payment === undefined || flags.interactive || flags.resume
    const body = guided ? await this.promptForRefund(flags, payment) : await this.given(flags, payment)
    try {
      await this.send(flags, { method: 'POST', path: '/transactions', body, shape })
    } catch (error) {
      throw args.payment && isWithoutPayment(error)
        ? missingObject(`There is no transaction ${args.payment}`)
        : error
    }
  }

  private async given(flags: Typed, payment: string): Promise<JsonObject> {
    const amount = flags.amount ?? (await this.amountOf(flags, payment))
    return {
      type: 'refund',
      amount,
      ...(flags.description !== undefined && { description: flags.description }),
      ledger: [{ assoc_transaction_id: payment }],
    }
  }

  /** Prompts for the missing parts of a refund. Throws a `UsageError` without a terminal. */
  private async promptForRefund(flags: Typed, payment: string | undefined): Promise<JsonObject> {
    if (!flags.interactive && !flags.resume && !promptsFor(flags['no-input']))
      throw new UsageError(whichPayment('refund', 'status=processed'))
    const data: JsonObject = { type: 'refund' }
    if (payment !== undefined) data.ledger = [{ assoc_transaction_id: payment }]
    const { refundedId, refundWizard } = await import('../wizards/refund-wizard.js')
    const guide: Guide = {
      resource: transaction,
      descriptions: payFields.filter(({ name }) => name === 'amount' || name === 'description'),
      words: (body) => ['transactions', 'refund', ...[refundedId(body) ?? []].flat()],
      lacks: () => true,
      load: async () => refundWizard,
    }
    const { amount, description } = flags
    return await this.complete(flags, guide, { amount, description }, data)
  }

  /** Amount of a full refund: the payment's amount. */
  private async amountOf(choices: Choices, payment: string): Promise<Json> {
    const { body } = await this.ask(choices, { method: 'GET', path: transactionPath(payment) })
    return body.amount ?? null
  }
}

/**
 * Whether a refund was refused because its payment does not exist. The error names a ledger entry, which
 * the operator did not type, so another error is shown.
 */
function isWithoutPayment(error: unknown): boolean {
  if (!(error instanceof Refusal) || !isObject(error.response.body.details)) return false
  const reason = valueAt(error.response.body.details, ['ledger', '0', 'assoc_transaction_id'])
  return reason === NOT_FOUND || reason === NO_ID
}
