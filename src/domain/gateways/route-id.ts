/**
 * Id of the route of a processing account and a kind of method; null means any. There is at most one such route. The id
 * contains no blank, because a blank ends an id in the sealed books.
 */
export function routeId(processingId: string | null, method: string | null): string {
  return `${processingId ?? '*'}:${method ?? '*'}`
}

export const DEFAULT_ROUTE = routeId(null, null)
