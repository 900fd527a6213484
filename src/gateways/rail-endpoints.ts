import type { CheckedGateway } from './gateway-check.js'

/** An endpoint at the gateway that receives notifications. */
export interface RailEndpoint {
  /** The gateway's id of the endpoint. */
  readonly id: string
  readonly url: string
  /** Reason why it does not notify of everything; null if it does. */
  readonly problem: string | null
}

/** New endpoints, and the secrets by which their notifications are verified. */
export interface CreatedEndpoints {
  readonly ids: readonly string[]
  /** Secrets to keep, by the names that the registry declares. */
  readonly secrets: { readonly [name: string]: string }
}

/**
 * Endpoints for notifications, for rails that create them on request. The domain first creates new endpoints, then keeps
 * their secrets, then removes earlier endpoints with the same address. A crash in between leaves the earlier ones in use.
 */
export interface RailEndpoints<A extends readonly unknown[]> {
  list(...credentials: A): Promise<readonly RailEndpoint[]>
  create(gateway: CheckedGateway, ...credentials: A): Promise<CreatedEndpoints>
  remove(id: string, ...credentials: A): Promise<void>
}
