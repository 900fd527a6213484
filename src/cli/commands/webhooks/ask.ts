import type { JsonObject, Method, QueryPair } from '../../terminal/client/client.js'

/** Asks the service; answers the body. */
export type Ask = (
  method: Method,
  path: string,
  body?: JsonObject,
  query?: readonly QueryPair[],
) => Promise<JsonObject>
