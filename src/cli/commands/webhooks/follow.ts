import type { JsonObject } from '../../terminal/client/client.js'
import { EXIT } from '../../terminal/failure/exit-codes.js'
import { failureOf } from '../../terminal/failure/failure.js'
import { pause } from '../../terminal/interruption.js'

export interface Following {
  readonly interrupted: AbortSignal
  /** Milliseconds between looks: a second unless given. */
  readonly every?: number
  /** Objects with ids, in the order in which they happened; some of them may have been printed already. */
  ask(isFirst: boolean): Promise<readonly JsonObject[]>
  print(object: JsonObject): Promise<void>
  /** Talk. */
  say(text: string): void
}

const LOOK = 1_000
/** So many ids are remembered, so that nothing is printed twice. */
const REMEMBERED = 20_000

/**
 * Prints what is new again and again, each object once, until interrupted. While the service cannot be asked (it is
 * restarted, its database is locked) it waits, and then goes on where it was.
 */
export async function follow({ interrupted, every = LOOK, ask, print, say }: Following): Promise<void> {
  const { LRUCache } = await import('lru-cache')
  const printed = new LRUCache<string, true>({ max: REMEMBERED })
  let isFirst = true
  let isWaiting = false
  while (!interrupted.aborted) {
    const found = await ask(isFirst).catch((error: unknown) => {
      const { exitCode, lines } = failureOf(error)
      if (exitCode !== EXIT.unavailable) throw error
      if (!isWaiting) say(`${lines.join(' ')} Waiting …`)
      return undefined
    })
    if (found && isWaiting) say('Going on.')
    isWaiting = found === undefined
    for (const object of found ?? []) {
      const id = String(object.id)
      if (interrupted.aborted || printed.has(id)) continue
      await print(object)
      printed.set(id, true)
    }
    if (found) isFirst = false
    await pause(every, interrupted)
  }
}
