import type { JsonObject } from '../../terminal/client/client.js'
import { pause } from '../../terminal/command/interruption.js'
import { EXIT } from '../../terminal/failure/exit-codes.js'
import { failureOf } from '../../terminal/failure/failure.js'

export interface Following {
  readonly interrupted: AbortSignal
  /** Milliseconds between two requests; a second by default. */
  readonly every?: number
  /** Returns objects with ids, oldest first; some may have been printed already. */
  ask(isFirst: boolean): Promise<readonly JsonObject[]>
  /** Whether the last answer was full, so that the next request is sent at once. */
  isBehind?(): boolean
  /** Selects the objects to print, and may add attributes; by default, all objects are printed unchanged. */
  select?(objects: readonly JsonObject[]): Promise<readonly JsonObject[]>
  print(object: JsonObject): Promise<void>
  /** Prints a message for people. */
  say(text: string): void
}

const POLL = 1_000
/** Number of printed ids that are remembered, so that no object is printed twice. */
const REMEMBERED = 20_000

/**
 * Prints new objects as they come, each once, until interrupted. While the service is unavailable, such as
 * during a restart, it waits, and then continues from the same position.
 */
export async function follow({
  interrupted,
  every = POLL,
  ask,
  isBehind = () => false,
  select = async (objects) => objects,
  print,
  say,
}: Following): Promise<void> {
  const { LRUCache } = await import('lru-cache')
  const printed = new LRUCache<string, true>({ max: REMEMBERED })
  /** Objects received and not printed yet. */
  const fresh = new Map<string, JsonObject>()
  let isFirst = true
  let isWaiting = false
  const next = async () => {
    for (const object of await ask(isFirst))
      if (!printed.has(String(object.id))) fresh.set(String(object.id), object)
    isFirst = false
    return fresh.size === 0 ? [] : await select([...fresh.values()])
  }
  while (!interrupted.aborted) {
    const selected = await next().catch((error: unknown) => {
      const { exitCode, lines } = failureOf(error)
      if (exitCode !== EXIT.unavailable) throw error
      if (!isWaiting) say(`${lines.join(' ')} Waiting …`)
      return undefined
    })
    if (selected && isWaiting) say('Continuing.')
    isWaiting = selected === undefined
    if (selected) {
      await printAll(selected, print, interrupted)
      for (const id of fresh.keys()) printed.set(id, true)
      fresh.clear()
    }
    if (!selected || !isBehind()) await pause(every, interrupted)
  }
}

async function printAll(
  objects: readonly JsonObject[],
  print: Following['print'],
  interrupted: AbortSignal,
): Promise<void> {
  for (const object of objects) {
    if (interrupted.aborted) return
    await print(object)
  }
}
