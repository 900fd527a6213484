import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'

/** Path of the Node that payctl runs on: the one that the clone brings, or the one that runs this where it brings none. */
export function cloneNode() {
  const own = resolve('node_modules', '.bin', 'node')
  return existsSync(own) ? own : process.execPath
}
