import { type EventEmitter, once } from 'node:events'
import { Interrupted } from '../failure/failure.js'

export interface Finished<T> {
  readonly value: T
  /** Whether Ctrl-C was pressed in the meantime. */
  readonly interrupted: boolean
}

const UNKNOWN =
  'Interrupted before the answer came: what was sent may have been done.\n' +
  'Check before you repeat it, as with payctl transactions list --limit 5'

/**
 * Waits for an answer even after Ctrl-C, so that the outcome is printed. A second Ctrl-C ends the wait with an
 * `Interrupted`. If another handler of Ctrl-C exists, the answer is simply awaited.
 */
export async function finish<T>(
  answer: Promise<T>,
  signals: EventEmitter,
  say: (text: string) => void,
): Promise<Finished<T>> {
  if (signals.listenerCount('SIGINT') > 0) return { value: await answer, interrupted: false }
  const over = new AbortController()
  const pressed = () => once(signals, 'SIGINT', { signal: over.signal })
  let interrupted = false
  const givenUp = pressed()
    .then(() => {
      interrupted = true
      say('Already sent: waiting for the answer. Ctrl-C again does not wait.')
      return pressed()
    })
    .then((): never => {
      throw new Interrupted(UNKNOWN)
    })
  try {
    return { value: await Promise.race([answer, givenUp]), interrupted }
  } finally {
    over.abort()
  }
}

/** Signals that end work while it waits for a person: Ctrl-C, `kill`, a closed terminal. */
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs work without effects, which may be ended at any time. A signal rejects the promise with an
 * `Interrupted`.
 */
export async function endable<T>(work: () => Promise<T>, signals: EventEmitter): Promise<T> {
  const over = new AbortController()
  const any = ENDS.map((name) => once(signals, name, { signal: over.signal }))
  const ended = Promise.race(any).then((): never => {
    throw new Interrupted('Interrupted; nothing was sent.')
  })
  try {
    return await Promise.race([work(), ended])
  } finally {
    over.abort()
  }
}
