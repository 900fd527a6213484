import type { Place } from '../../engine/store/vault/vault.js'

/** Where the token of a payment method is sealed. */
export function tokenPlace(id: string): Place {
  return { table: 'payment_methods', column: 'sealed_token', id }
}
