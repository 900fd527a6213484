import { boolean } from '@oclif/core/flags'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { Json, JsonObject } from '../../terminal/client/client.js'
import type { GivenFlags } from '../../terminal/collect-input.js'
import { PayctlCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { type Choices, writeFlags } from '../../terminal/global-flags.js'
import { put } from '../../terminal/input/body.js'
import { flagsFor } from '../../terminal/resource-flags.js'
import { methodFromFlags, withMethod } from '../transactions/method.js'
import { fieldsNeeded, type MethodType, payFields } from '../transactions/pay-fields.js'
import { transactionShape as shape } from '../transactions/transaction-target.js'
import { invoice, invoiceArgument, invoicePath } from './invoice-target.js'

/** Flags of payments whose values the invoice determines. */
const FROM_INVOICE: readonly string[] = ['customer', 'processing']

export class PayInvoice extends PayctlCommand {
  static override summary = 'take a payment of an invoice'
  static override description =
    "All that is due unless --amount is given, by the customer's default payment method unless another one is given."
  static override usage = 'invoices pay ID [--amount <amount>] [flags]'
  static override examples = [
    'payctl invoices pay inv_0V8c…',
    'payctl invoices pay inv_0V8c… --amount 12.50 --dry-run',
    'payctl invoices pay inv_0V8c… --card - --expiry 12/30',
  ]
  static override args = { id: invoiceArgument }
  static override flags = {
    ...flagsFor(own(payFields)),
    authorize: boolean({ summary: 'only authorize; the invoice is paid when it is captured' }),
    'use-once': boolean({ summary: 'do not keep the payment method' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PayInvoice)
    const given: GivenFlags = flags
    const id = await this.idOf(flags, invoice, args.id)
    const method = methodFromFlags({ ...given, customer: id }, false)
    const amount = given.amount ?? (await this.dueOf(flags, id))
    const body: JsonObject = { type: 'payment', amount, allocations: [{ invoice_id: id, amount }] }
    if (flags.authorize) put(body, ['status'], 'authorized')
    if (flags['use-once']) put(body, ['payment_method', 'keep_active'], false)
    const complete = await this.collect(flags, needed(method), given, withMethod(body, method))
    await this.send(flags, { method: 'POST', path: '/transactions', body: complete, shape })
  }

  private async dueOf(choices: Choices, id: string): Promise<Json> {
    const { body } = await this.ask(choices, { method: 'GET', path: invoicePath(id) })
    if (Number(body.amount_due) <= 0) throw new UsageError(`Nothing is due on ${id}`)
    return body.amount_due ?? null
  }
}

function needed(method: MethodType | undefined): readonly FlagDescription[] {
  return own(fieldsNeeded(method))
}

function own(fields: readonly FlagDescription[]): readonly FlagDescription[] {
  return fields.filter(({ name }) => !FROM_INVOICE.includes(name))
}
