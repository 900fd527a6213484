import type { Json, JsonObject } from '../../src/schema/json.js'
import type { Chance } from '../../test/support/chance.js'

const MOST = 60
const MOST_RELATED = 500

/** Ids of objects that answers contained, the newest of each kind. Requests use them to name existing objects. */
export class Known {
  private readonly ids = new Map<string, string[]>()
  /** Ids of related objects by the id of an object, one of each kind. */
  private readonly related = new Map<string, Map<string, string>>()
  /** Idempotency keys that were sent. */
  readonly keys: string[] = []

  /** Stores the ids of all objects in an answer, at any depth. */
  learn(answer: Json): void {
    if (Array.isArray(answer)) {
      for (const part of answer.slice(0, 20)) this.learn(part)
      return
    }
    if (typeof answer !== 'object' || answer === null) return
    const { object, id } = answer
    if (typeof object === 'string' && typeof id === 'string') {
      this.keep(object, id)
      this.relate(id, answer)
    }
    for (const part of Object.values(answer)) if (typeof part === 'object') this.learn(part)
  }

  /** Adds an id. Newer ids replace older ones, except for the first ten, to which many objects are related. */
  private keep(object: string, id: string): void {
    const ids = this.ids.get(object) ?? []
    this.ids.set(object, ids)
    if (ids.includes(id)) return
    if (ids.length >= MOST) ids.splice(10, 1)
    ids.push(id)
  }

  private relate(id: string, object: JsonObject): void {
    const near = this.related.get(id) ?? new Map<string, string>()
    for (const [name, value] of Object.entries(object)) {
      if (name.endsWith('_id') && typeof value === 'string') near.set(name.slice(0, -'_id'.length), value)
      for (const part of [value].flat()) if (isNamed(part)) near.set(part.object, part.id)
    }
    this.related.delete(id)
    this.related.set(id, near)
    const [oldest] = this.related.keys()
    if (this.related.size > MOST_RELATED && oldest !== undefined) this.related.delete(oldest)
  }

  /** Id of an object of a kind that is related to another object; undefined if none is known. */
  relatedTo(id: string, object: string): string | undefined {
    return this.related.get(id)?.get(object)
  }

  /** Removes the object that a path names, after its deletion. */
  forget(path: string): void {
    const [, , id = '', ...more] = path.split('/')
    if (more.length > 0) return
    for (const ids of this.ids.values()) if (ids.includes(id)) ids.splice(ids.indexOf(id), 1)
  }

  /** Random id of an object of a kind, or of any kind; an unknown id if there is none. */
  id(chance: Chance, object?: string): string {
    const ids = object === undefined ? chance.pick([...this.ids.values()]) : this.ids.get(object)
    const some = object !== undefined && chance.percent(40) ? ids?.slice(0, 5) : ids
    return chance.pick(some ?? []) ?? 'txn_0000000000000000000000'
  }
}

function isNamed(value: Json): value is { object: string; id: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return typeof value['object'] === 'string' && typeof value['id'] === 'string'
}
