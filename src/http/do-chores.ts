import type { App } from '../app.js'
import type { Environment } from '../engine/core/write/work.js'
import type { Timers } from '../platform/timers.js'
import type { Logger } from './api/wire/log.js'
import type { Chore } from './chores.js'

const ENVIRONMENTS: readonly Environment[] = ['test', 'live']

/** Milliseconds after which a chore that failed is tried again. */
const RETRY = 30_000

/** What the log says of a chore that failed. */
export const CHORE_FAILED = 'a chore failed and is tried again later'

interface Doing {
  readonly app: App
  readonly chores: readonly Chore[]
  readonly timers: Timers
  readonly log: Logger
}

/**
 * Does each chore for each environment again and again, never the same one twice at once. Answers how to end that:
 * what has not begun is called off, what has is told, and the promise resolves when it is done.
 */
export function doChores({ app, chores, timers, log }: Doing): () => Promise<void> {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const waiting = new Set<() => void>()

  const round = async (chore: Chore, environment: Environment): Promise<void> => {
    let pause = chore.every
    try {
      await chore.run(app, environment, stopping.signal)
    } catch (err) {
      pause = RETRY
      log.error({ chore: chore.name, environment, err }, CHORE_FAILED)
    }
    if (!stopping.signal.aborted) schedule(chore, environment, pause)
  }

  const schedule = (chore: Chore, environment: Environment, pause: number): void => {
    const callOff = timers.after(pause, () => {
      waiting.delete(callOff)
      const doing = round(chore, environment).finally(() => running.delete(doing))
      running.add(doing)
    })
    waiting.add(callOff)
  }

  for (const chore of chores) for (const environment of ENVIRONMENTS) schedule(chore, environment, 0)
  return async () => {
    stopping.abort()
    for (const callOff of waiting) callOff()
    await Promise.all(running)
  }
}
