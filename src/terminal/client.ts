import type { ApiRequest, ApiResponse } from '../core/request.js'

export type { Json, JsonObject } from '../core/json.js'
export type { Method } from '../core/method.js'
export type { QueryPair } from '../core/request.js'

/** What a command asks; who asks is the client's to know. */
export type ClientRequest = Omit<ApiRequest, 'principal'>

/** The service as a command sees it, wherever it runs. */
export interface Client {
  send(request: ClientRequest): Promise<ApiResponse>
  close(): Promise<void>
}
