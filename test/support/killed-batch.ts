import { once } from 'node:events'
import { start } from '../cli/commands/payctl.js'
import type { Chance } from './chance.js'
import type { Place } from './databases.js'

/** Starts a batch and kills it (SIGKILL) after a random time from 300 to `most` milliseconds. */
export async function killBatch(place: Place, words: readonly string[], chance: Chance, most: number) {
  const child = start(place, words)
  const closed = once(child, 'close')
  const timer = setTimeout(() => child.kill('SIGKILL'), chance.integer(300, most))
  child.stdout?.resume()
  child.stderr?.resume()
  child.stdin?.end()
  await closed
  clearTimeout(timer)
}
