import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'

/** Path of the Node that runs payctl: the clone's Node if it is installed, otherwise the one that runs this file. */
export function cloneNode() {
  const own = resolve('node_modules', '.bin', 'node')
  return existsSync(own) ? own : process.execPath
}
