import type { ApiRequest, ApiResponse } from '../../../engine/core/request/request.js'

export type { QueryPair } from '../../../engine/core/request/request.js'
export type { Json, JsonObject } from '../../../schema/json.js'
export type { Method } from '../../../schema/resource.js'

/** A request of a command; the client adds the principal. */
export type ClientRequest = Omit<ApiRequest, 'principal'>

/** The service for commands: in this process, or on a server. */
export interface Client {
  send(request: ClientRequest): Promise<ApiResponse>
  /**
   * Checks a request without sending it: throws a `Refusal` if the profile's spending limit refuses it.
   * Absent without a limit.
   */
  readonly check?: (request: ClientRequest) => Promise<void>
  close(): Promise<void>
}
