import type { Work } from '../../engine/core/write/work.js'
import type { PaymentLinkRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'

/** Fires the event `payment_link:status`. Spec: "Events". */
export function announceLink(work: Work, row: PaymentLinkRow): void {
  work.emit({
    trigger: 'payment_link:status',
    object: resources.payment_link,
    id: row.id,
    value: row.status,
    processingId: row.processing_id,
  })
}

/**
 * Completes the payment links that were made after failed automatic payments of an invoice, because the invoice is
 * paid now.
 */
export async function completeFailedLinks(work: Work, invoiceId: string): Promise<void> {
  const links = await work.findBy(resources.payment_link, 'invoice_id', invoiceId)
  for (const { id, failed_payment_id: failed, status } of links)
    if (failed !== null && (status === 'active' || status === 'inactive'))
      announceLink(work, await work.change(resources.payment_link, id, { status: 'completed' }))
}
