import type { JsonObject } from '../../terminal/client/client.js'

/**
 * Objects of several answers, each once, newest first. Within one second, ids decide: they are compared as
 * text.
 */
export function newestFirst(objects: readonly JsonObject[]): readonly JsonObject[] {
  const distinct = [...new Map(objects.map((object) => [String(object.id), object])).values()]
  return distinct.toSorted((a, b) => (newness(a) < newness(b) ? 1 : -1))
}

function newness({ created_at: at, id }: JsonObject): string {
  return `${String(at)} ${String(id)}`
}
