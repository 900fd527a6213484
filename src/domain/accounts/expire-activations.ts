import type { Expiring } from '../../engine/jobs/expire.js'
import { announceActivation } from './payment-activation.js'

/** Activations that nobody answered in time are `expired`. */
export const expireActivations: Expiring = {
  name: 'expire_payment_activations',
  table: 'payment_activations',
  from: 'pending',
  async expire(work, id, until) {
    const row = await work.lock('payment_activation', id)
    if (row?.status !== 'pending' || row.expires_at === null || row.expires_at > until) return false
    announceActivation(work, await work.change('payment_activation', id, { status: 'expired' }))
    return true
  },
}
