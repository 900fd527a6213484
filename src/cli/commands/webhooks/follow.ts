import type { JsonObject } from '../../terminal/client/client.js'
import { EXIT } from '../../terminal/failure/exit-codes.js'
import { failureOf } from '../../terminal/failure/failure.js'
import { pause } from '../../terminal/interruption.js'

export interface Following {
  readonly interrupted: AbortSignal
  /** Milliseconds between two requests; a second by default. */
  readonly every?: number
  /** Returns objects with ids, oldest first; some may have been printed already. */
  ask(isFirst: boolean): Promise<readonly JsonObject[]>
  print(object: JsonObject): Promise<void>
  /** Prints a message for people. */
  say(text: string): void
}

const POLL = 1_000
/** How many ids are remembered, so that nothing is printed twice. */
const REMEMBERED = 20_000

/**
 * Prints new objects as they come, each once, until interrupted. While the service is unavailable (it restarts, or its
 * database is locked), it waits, and then continues where it was.
 */
export async function follow({ interrupted, every = POLL, ask, print, say }: Following): Promise<void> {
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
    if (found && isWaiting) say('Continuing.')
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
