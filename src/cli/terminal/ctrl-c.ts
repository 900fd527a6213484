import { type EventEmitter, once } from 'node:events'
import { Interrupted } from './failure/failure.js'

export interface Finished<T> {
  readonly value: T
  /** Whether Ctrl-C was pressed meanwhile. */
  readonly interrupted: boolean
}

const UNKNOWN =
  'Interrupted before the answer came: what was sent may be done.\n' +
  'Look before you repeat it, as with payctl transactions list --limit 5'

/**
 * Waits for the answer to what was sent, also when Ctrl-C is pressed: the operator is told what became of it. A second
 * Ctrl-C ends the waiting with an `Interrupted`. Where Ctrl-C is listened to already, that is left as it is.
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

/** Does something that Ctrl-C may end at any time, as nothing of it is kept. Rejects with an `Interrupted` then. */
export async function endable<T>(work: () => Promise<T>, signals: EventEmitter): Promise<T> {
  const over = new AbortController()
  const ended = once(signals, 'SIGINT', { signal: over.signal }).then((): never => {
    throw new Interrupted('Interrupted; nothing was sent.')
  })
  try {
    return await Promise.race([work(), ended])
  } finally {
    over.abort()
  }
}
