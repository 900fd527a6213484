import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Handler of Ctrl-C. The first Ctrl-C stops sending, and rows in flight are awaited. The second ends the
 * process at once.
 */
export class Stop {
  private readonly controller = new AbortController()
  private readonly onSignal = () => this.controller.abort()

  constructor() {
    for (const signal of SIGNALS) process.once(signal, this.onSignal)
  }

  get isRequested(): boolean {
    return this.controller.signal.aborted
  }

  /** Waits, at most until a stop is requested. */
  async pause(milliseconds: number): Promise<void> {
    const { signal } = this.controller
    await wait(milliseconds, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  /** Removes the handler: signals end the process again. */
  forget(): void {
    for (const signal of SIGNALS) process.removeListener(signal, this.onSignal)
  }
}
