import { invalidAttributes } from '../../../engine/core/request/errors.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { InvoiceRow, TransactionRow } from '../../../engine/store/database/tables.js'
import type { Minor } from '../../../schema/money.js'
import type { TransactionInput } from '../../payments/new-transaction.js'
import type { AutomaticPayment } from '../../payments/take-payment.js'

/**
 * Takes a payment of an invoice: of all that is due unless told. Without a payment method the customer's default one
 * pays. Minor units. `take` is how: as whoever asks, unless told. Throws `InvalidAttributes`; a decline is an answer.
 */
export async function payInvoice(
  work: Work,
  invoice: InvoiceRow,
  { amount, ...payment }: TransactionInput & { readonly amount?: Minor } = {},
  take: AutomaticPayment = (payingWork, input) => payingWork.create('transaction', { ...input }),
): Promise<TransactionRow> {
  const due = invoice.amount_due ?? 0
  if (due <= 0) throw invalidAttributes({ amount: 'Nothing is due' })
  const paid = amount ?? due
  const allocations = [{ entry_type: 'payment', invoice_id: invoice.id, amount: paid }]
  return await take(work, { ...payment, type: 'payment', amount: paid, allocations })
}
