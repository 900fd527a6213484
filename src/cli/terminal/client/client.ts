import type { ApiRequest, ApiResponse } from '../../../engine/core/request/request.js'

export type { QueryPair } from '../../../engine/core/request/request.js'
export type { Json, JsonObject } from '../../../schema/json.js'
export type { Method } from '../../../schema/resource.js'

/** A request of a command; the client adds the principal. */
export type ClientRequest = Omit<ApiRequest, 'principal'>

/** The service as a command sees it: in this process, or behind a server. */
export interface Client {
  send(request: ClientRequest): Promise<ApiResponse>
  /** Throws a `Refusal` if the spending limit of a profile refuses the request, which is not sent; absent without a limit. */
  readonly check?: (request: ClientRequest) => Promise<void>
  close(): Promise<void>
}
