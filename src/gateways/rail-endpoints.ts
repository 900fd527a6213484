import type { CheckedGateway } from './gateway-check.js'

/** An endpoint at the gateway that receives notifications. */
export interface RailEndpoint {
  /** The gateway's id of the endpoint. */
  readonly id: string
  readonly url: string
  /** Reason why the endpoint does not receive every event that payctl needs; null if it does. */
  readonly problem: string | null
}

/** Ids of new endpoints, and the secrets that verify their notifications. */
export interface CreatedEndpoints {
  readonly ids: readonly string[]
  /** Secrets to store, by the names that the registry declares. */
  readonly secrets: { readonly [name: string]: string }
}

/**
 * Lists, creates and removes endpoints for notifications, at rails that allow it. The domain first creates new
 * endpoints, then stores their secrets, then removes old endpoints with the same address. After a crash in between, the
 * old endpoints still work.
 */
export interface RailEndpoints<A extends readonly unknown[]> {
  list(...credentials: A): Promise<readonly RailEndpoint[]>
  create(gateway: CheckedGateway, ...credentials: A): Promise<CreatedEndpoints>
  remove(id: string, ...credentials: A): Promise<void>
}
