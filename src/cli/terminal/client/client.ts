import type { ApiRequest, ApiResponse } from '../../../engine/core/request/request.js'

export type { QueryPair } from '../../../engine/core/request/request.js'
export type { Json, JsonObject } from '../../../schema/json.js'
export type { Method } from '../../../schema/resource.js'

/** What a command asks; who asks is the client's to know. */
export type ClientRequest = Omit<ApiRequest, 'principal'>

/** The service as a command sees it, wherever it runs. */
export interface Client {
  send(request: ClientRequest): Promise<ApiResponse>
  close(): Promise<void>
}
