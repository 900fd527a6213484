import type { JsonObject, Method, QueryPair } from '../../terminal/client/client.js'

/** Sends a request; returns the body of the answer. */
export type Ask = (
  method: Method,
  path: string,
  body?: JsonObject,
  query?: readonly QueryPair[],
) => Promise<JsonObject>
