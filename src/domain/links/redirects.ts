import type { PaymentLinkRow } from '../../engine/store/database/tables.js'
import { isTree } from '../../schema/types.js'

/**
 * Addresses to which the page of a payment link sends the payer: after a payment, after giving up, or because the link
 * is already paid.
 */
export interface Redirects {
  readonly success_url?: string
  readonly cancel_url?: string
  /** Address for payers who open a link that is already paid. */
  readonly completed_url?: string
}

/** The addresses of a link; most links have none. */
export function redirectsOf({ redirects }: Pick<PaymentLinkRow, 'redirects'>): Redirects {
  const stored: unknown = redirects === null ? undefined : JSON.parse(redirects)
  if (!isTree(stored)) return {}
  const { success_url: success, cancel_url: cancel, completed_url: completed } = stored
  return {
    ...(typeof success === 'string' && { success_url: success }),
    ...(typeof cancel === 'string' && { cancel_url: cancel }),
    ...(typeof completed === 'string' && { completed_url: completed }),
  }
}

/** The address of a shop after a payment, which names the payment in `transaction_id`. */
export function successAddress({ success_url: address }: Redirects, paymentId: string): string | undefined {
  if (address === undefined) return undefined
  const url = new URL(address)
  url.searchParams.set('transaction_id', paymentId)
  return url.href
}
