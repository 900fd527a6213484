import type { Json } from '../../src/core/json.js'
import type { Chance } from '../../test/support/chance.js'

const MOST = 60

/** Ids of objects that answers showed, the newest of each kind, so that requests meet what is there. */
export class Known {
  private readonly ids = new Map<string, string[]>()
  /** Idempotency keys that were sent. */
  readonly keys: string[] = []

  /** Takes in every object of an answer, at any depth. */
  learn(answer: Json): void {
    if (Array.isArray(answer)) {
      for (const part of answer.slice(0, 20)) this.learn(part)
      return
    }
    if (typeof answer !== 'object' || answer === null) return
    const { object, id } = answer
    if (typeof object === 'string' && typeof id === 'string') this.keep(object, id)
    for (const part of Object.values(answer)) if (typeof part === 'object') this.learn(part)
  }

  /** Newer ones take the places of old ones, but the first stay: much hangs on them. */
  private keep(object: string, id: string): void {
    const ids = this.ids.get(object) ?? []
    this.ids.set(object, ids)
    if (ids.includes(id)) return
    if (ids.length >= MOST) ids.splice(10, 1)
    ids.push(id)
  }

  /** The object of an item's path is gone. */
  forget(path: string): void {
    const [, , id = '', ...more] = path.split('/')
    if (more.length > 0) return
    for (const ids of this.ids.values()) if (ids.includes(id)) ids.splice(ids.indexOf(id), 1)
  }

  /** One of a kind, or of any kind. */
  id(chance: Chance, object?: string): string {
    const ids = object === undefined ? chance.pick([...this.ids.values()]) : this.ids.get(object)
    return chance.pick(ids ?? []) ?? 'txn_0000000000000000000000'
  }
}
