import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { start } from '../cli/commands/payctl.js'
import type { Place } from './databases.js'

/** A `payctl serve` process on a free port. */
export interface Server {
  readonly address: string
  readonly pid: number | undefined
  /** Whether `kill` was called, so that lost connections are expected. */
  readonly isKilled: boolean
  /** Sends SIGKILL. */
  kill(): void
  /** Sends SIGTERM, after which the server finishes its work. Resolves to its exit code. */
  stop(): Promise<number | null>
  /** Resolves to the stderr of the ended process. */
  readonly ended: Promise<string>
}

/**
 * Starts a server. Options are further flags, a port, and `through`, a program that runs the server. Rejects
 * with the server's stderr if it does not listen.
 */
export async function startServer(
  place: Place,
  flags: readonly string[] = [],
  port = '0',
  through: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const child = start(place, ['serve', '--port', port, ...flags], { through, variables })
  const said: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const closed = once(child, 'close')
  if (!child.stdout) throw new Error('The server has no output')
  const lines = createInterface(child.stdout)
  const [line] = await Promise.race([once(lines, 'line'), closed.then(() => [''])])
  const address = /^Listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(String(line))?.[1]
  if (address === undefined) {
    child.kill('SIGKILL')
    throw new Error(`The server does not listen: ${said.join('')}`)
  }
  let isKilled = false
  return {
    address,
    pid: child.pid,
    get isKilled() {
      return isKilled
    },
    kill() {
      isKilled = true
      child.kill('SIGKILL')
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = await closed
      return typeof code === 'number' ? code : null
    },
    ended: closed.then(() => said.join('')),
  }
}

/** Starts a server and kills it after this number of milliseconds, ready or not. */
export async function killStarting(place: Place, milliseconds: number): Promise<void> {
  const child = start(place, ['serve', '--port', '0'])
  const closed = once(child, 'close')
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
  await closed
  clearTimeout(timer)
}
