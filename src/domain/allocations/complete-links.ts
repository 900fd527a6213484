import type { Work } from '../../engine/core/write/work.js'
import type { PaymentLinkRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'

/** Spec: "Events", trigger `payment_link:status`. */
export function announceLink(work: Work, row: PaymentLinkRow): void {
  work.emit({
    trigger: 'payment_link:status',
    object: resources.payment_link,
    id: row.id,
    value: row.status,
    processingId: row.processing_id,
  })
}

/** Completes the links that failed automatic payments of an invoice have made, as it is paid now. */
export async function completeFailedLinks(work: Work, invoiceId: string): Promise<void> {
  const links = await work.findBy(resources.payment_link, 'invoice_id', invoiceId)
  for (const { id, failed_payment_id: failed, status } of links)
    if (failed !== null && (status === 'active' || status === 'inactive'))
      announceLink(work, await work.change(resources.payment_link, id, { status: 'completed' }))
}
