import { boolean } from '@oclif/core/flags'
import { resources } from '../../../resources/resource-table.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { JsonObject } from '../../terminal/client/client.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { type Choices, writeFlags } from '../../terminal/command/global-flags.js'
import { flagsFor } from '../../terminal/command/resource-flags.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { put } from '../../terminal/input/body.js'
import { type Guide, interactiveFlag, WizardCommand } from '../../terminal/wizard/wizard-guide.js'
import type { WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { methodFromFlags, withMethod } from '../transactions/method.js'
import { fieldsNeeded, type MethodType, payFields } from '../transactions/pay-fields.js'
import { transactionShape as shape } from '../transactions/transaction-target.js'
import { invoicePath, invoice as invoices, optionalInvoiceArgument } from './invoice-target.js'

/** Flags of payments whose values the invoice determines. */
const FROM_INVOICE: readonly string[] = ['customer', 'processing']

const WHICH =
  'Which invoice? payctl invoices pay inv_…; ' +
  "payctl invoices list --where 'status=pending|overdue|partially_paid' shows them"

export class PayInvoice extends WizardCommand {
  static override summary = 'charge a payment for an invoice'
  static override description =
    "Charges the amount due unless --amount is given, by the customer's default payment method unless another one is given. " +
    'Without an invoice, one is chosen from a list on the terminal.'
  static override usage = 'invoices pay [ID] [--amount <amount>] [flags]'
  static override examples = [
    'payctl invoices pay',
    'payctl invoices pay inv_0V8c…',
    'payctl invoices pay inv_0V8c… --amount 12.50 --dry-run',
    'payctl invoices pay inv_0V8c… --card - --expiry 12/30',
  ]
  static override args = { id: optionalInvoiceArgument }
  static override flags = {
    ...flagsFor(own(payFields)),
    authorize: boolean({ summary: 'only authorize; the invoice is paid when it is captured' }),
    'use-once': boolean({ summary: 'do not keep the payment method' }),
    interactive: interactiveFlag,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PayInvoice)
    const given: GivenFlags = flags
    const isGuided = args.id === undefined || flags.interactive
    const id =
      args.id === undefined
        ? await this.choice(flags, chosenInvoice, WHICH)
        : await this.idOf(flags, invoices, args.id)
    const invoice = await this.dueOn(flags, id)
    const method = methodFromFlags({ ...given, customer: id }, false)
    const amount = given.amount ?? (isGuided ? undefined : (invoice.amount_due ?? null))
    const body: JsonObject = { type: 'payment', ...(amount !== undefined && { amount }) }
    if (flags.authorize) put(body, ['status'], 'authorized')
    if (flags['use-once']) put(body, ['payment_method', 'keep_active'], false)
    const guide: Guide = {
      resource: resources.transaction,
      descriptions: needed(method),
      words: () => ['invoices', 'pay', id],
      lacks: () => isGuided,
      load: async () => (await import('../wizards/pay-invoice-wizard.js')).payInvoiceWizard(invoice),
    }
    const complete = await this.complete(flags, guide, given, withMethod(body, method))
    const allocations = [{ invoice_id: id, amount: complete.amount ?? null }]
    await this.send(flags, {
      method: 'POST',
      path: '/transactions',
      body: { ...complete, allocations },
      shape,
    })
  }

  /** The invoice. Throws a `UsageError` if its amount due is zero. */
  private async dueOn(choices: Choices, id: string): Promise<JsonObject> {
    const query: [string, string][] = [['fields', '*,customer']]
    const { body } = await this.ask(choices, { method: 'GET', path: invoicePath(id), query })
    if (Number(body.amount_due) <= 0) throw new UsageError(`Nothing is due on ${id}`)
    return body
  }
}

async function chosenInvoice(questions: WizardQuestions): Promise<string> {
  const { chooseInvoice } = await import('../wizards/invoice-to-pay.js')
  return String((await chooseInvoice(questions)).id)
}

function needed(method: MethodType | undefined): readonly FlagDescription[] {
  return own(fieldsNeeded(method))
}

function own(fields: readonly FlagDescription[]): readonly FlagDescription[] {
  return fields.filter(({ name }) => !FROM_INVOICE.includes(name))
}
