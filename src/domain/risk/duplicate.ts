import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Minor } from '../../schema/money.js'

/** Facts by which two payments are compared, besides their method. */
export interface ComparedPayment {
  readonly processingId: string
  readonly amount: Minor
  readonly orderNumber: string | null
  /** Ids of the invoices that it is to pay. */
  readonly invoiceIds: readonly string[]
}

/**
 * Whether a payment of the same method, amount, account, order number and invoices was taken since `since`. Declined
 * and voided ones do not count. See docs/money.md, "Before a payment is taken".
 */
export async function findDuplicate(
  work: Work,
  { processingId, amount, orderNumber, invoiceIds }: ComparedPayment,
  { fingerprints, since }: { readonly fingerprints: readonly string[]; readonly since: string },
): Promise<boolean> {
  const invoices = keyOf(invoiceIds)
  for (const fingerprint of fingerprints) {
    const alike = await work.tx.run(likePayments, { fingerprint, processingId, amount, since })
    for (const { id, order_number: number } of alike) {
      if ((number ?? '') !== (orderNumber ?? '')) continue
      const paid = await work.tx.run(invoicesOf, { id })
      if (keyOf(paid.map(({ invoice_id: invoice }) => invoice ?? '')) === invoices) return true
    }
  }
  return false
}

function keyOf(ids: readonly string[]): string {
  return [...new Set(ids)].sort().join(' ')
}

interface LikePayments {
  fingerprint: string
  processingId: string
  amount: Minor
  since: string
}

const likePayments = prepared<LikePayments, { id: string; order_number: string | null }>((db, param) =>
  db
    .selectFrom('transactions')
    .select(['id', 'order_number'])
    .where('method_fingerprint', '=', param('fingerprint'))
    .where('created_at', '>=', param('since'))
    .where('processing_id', '=', param('processingId'))
    // After a partial capture, the amount that was requested is compared.
    .where((eb) => eb(eb.fn.coalesce('authorized_amount', 'amount'), '=', param('amount')))
    .where('type', '=', 'payment')
    .where('status', 'not in', ['declined', 'voided']),
)

/** Invoices that a payment was meant for. */
const invoicesOf = prepared<{ id: string }, { invoice_id: string | null }>((db, param) =>
  db.selectFrom('line_items').select('invoice_id').where('transaction_id', '=', param('id')),
)
