/** What lets something happen later. */
export interface Timers {
  /** Calls back after so many milliseconds, once; answers how to call that off. */
  after(milliseconds: number, then: () => void): () => void
}

/** These keep no process alive. */
export const systemTimers: Timers = {
  after(milliseconds, then) {
    const timer = setTimeout(then, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}
