import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from './rule.js'

/**
 * Reads of work that takes many of them. Other work of the process gets a turn before each read: on SQLite, reads would
 * otherwise follow each other without a pause.
 */
export function yieldingReads(read: Steps['read']): Steps['read'] {
  return async (job) => {
    await nextTurn()
    return await read(job)
  }
}
