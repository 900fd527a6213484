import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Ctrl-C once: what is on its way is waited for, and nothing more is sent. Twice: the process ends at once. */
export class Stop {
  private readonly controller = new AbortController()
  private readonly onSignal = () => this.controller.abort()

  constructor() {
    for (const signal of SIGNALS) process.once(signal, this.onSignal)
  }

  get isRequested(): boolean {
    return this.controller.signal.aborted
  }

  /** Waits, unless stopping is asked for meanwhile. */
  async pause(milliseconds: number): Promise<void> {
    const { signal } = this.controller
    await wait(milliseconds, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  /** Signals end the process again. */
  forget(): void {
    for (const signal of SIGNALS) process.removeListener(signal, this.onSignal)
  }
}
