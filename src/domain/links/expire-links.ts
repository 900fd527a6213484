import type { Expiring } from '../../engine/jobs/expire.js'
import { resources } from '../../resources/resource-table.js'
import { announceLink } from '../allocations/complete-links.js'

/**
 * Sets unpaid links to `expired` when their time is over. A payment under way continues: its outcome completes the
 * link.
 */
export const expireLinks: Expiring = {
  name: 'expire_payment_links',
  table: 'payment_links',
  from: 'active',
  async expire(work, id, until) {
    const link = await work.lock(resources.payment_link, id)
    if (link?.status !== 'active' || link.expires_at === null || link.expires_at > until) return false
    announceLink(work, await work.change(resources.payment_link, id, { status: 'expired' }))
    return true
  },
}
