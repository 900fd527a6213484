import type { ApiError } from '../../engine/core/request/errors.js'
import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { PaymentActivationRow } from '../../engine/store/database/tables.js'

export type ActivationStatus = NonNullable<PaymentActivationRow['status']>

/** What an update asks of an activation. */
export interface RequestedStatus {
  readonly status: ActivationStatus
  /** Whether it gives a payment method that was not given before. */
  readonly gives: boolean
}

/** The status that an activation gets. Throws `InvalidAttributes`. Money: "Webhooks", payment activation. */
export function nextStatus(
  { status, expires_at }: Pick<PaymentActivationRow, 'status' | 'expires_at'>,
  requested: RequestedStatus,
  now: string,
): ActivationStatus {
  const from = status ?? 'pending'
  if (requested.gives) {
    if (from !== 'pending') throw refused(`Only a pending activation takes one, this is ${from}`)
    if (expires_at !== null && expires_at <= now) throw invalidAttributes({ expires_at: 'Expired' })
    if (requested.status === 'pending' || requested.status === 'activated') return 'activated'
  }
  if (requested.status === from) return from
  if (from === 'pending' && requested.status === 'activated') throw refused('Required')
  if (from === 'pending' && requested.status === 'canceled' && !requested.gives) return 'canceled'
  throw invalidAttributes({ status: `Cannot change from ${from} to ${requested.status}` })
}

function refused(message: string): ApiError {
  return invalidAttributes({ payment_method_id: message })
}
