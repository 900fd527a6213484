import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Ctrl-C once: rows in flight are waited for, and nothing more is sent. Twice: the process ends at once. */
export class Stop {
  private readonly controller = new AbortController()
  private readonly onSignal = () => this.controller.abort()

  constructor() {
    for (const signal of SIGNALS) process.once(signal, this.onSignal)
  }

  get isRequested(): boolean {
    return this.controller.signal.aborted
  }

  /** Waits, until a stop is requested at the latest. */
  async pause(milliseconds: number): Promise<void> {
    const { signal } = this.controller
    await wait(milliseconds, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  /** From now on, signals end the process again. */
  forget(): void {
    for (const signal of SIGNALS) process.removeListener(signal, this.onSignal)
  }
}
