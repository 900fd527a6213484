import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type LoadOptions, load } from './client.js'
import { REPORTING } from './processes.js'
import type { Sample } from './sample.js'

export interface Server {
  readonly port: number
  readonly pid: number | undefined
  /** CPU time that the server has used, in microseconds. */
  cpu(): Promise<number>
  stop(): Promise<void>
}

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Starts the reference server for SQLite on a database file. */
export function startReference(file: string, mode: 'group' | 'single'): Promise<Server> {
  return start((port) => ['--import', 'tsx', script('references/server.ts'), file, String(port), mode], {})
}

/** Starts the reference server for PostgreSQL on a database. */
export function startPostgresReference(url: string): Promise<Server> {
  return start((port) => ['--import', 'tsx', script('references/postgres-server.ts'), url, String(port)], {})
}

/** Starts the comparison service of bench/peers on a database file. */
export function startPeer(file: string): Promise<Server> {
  return start((port) => ['--import', 'tsx', script('peers/express-knex.ts'), file, String(port)], {})
}

/** Starts `payctl serve` from the built program. `flags` are options of Node. */
export function startOurs(
  environment: Readonly<Record<string, string>>,
  bin = script('../bin/run.js'),
  flags: readonly string[] = [],
): Promise<Server> {
  return start((port) => [...flags, bin, 'serve', '--port', String(port)], environment)
}

/** The requests of a load; server, duration and number are set at each run. */
export type Load = Omit<LoadOptions, 'port' | 'milliseconds' | 'requests'>

/**
 * Number of requests before a server is measured. A fixed duration could be too short on a slow machine, before all
 * code is compiled.
 */
const WARMING = 5_000

/** Runs requests until the server's code is compiled, for at most two minutes. */
export async function warm(server: Server, options: Load): Promise<void> {
  await load({ ...options, port: server.port, milliseconds: 120_000, requests: WARMING })
}

/** Measures one round of load on a server. */
export async function sample(server: Server, options: Omit<LoadOptions, 'port'>): Promise<Sample> {
  const before = await server.cpu()
  const { perSecond, answered } = await load({ ...options, port: server.port })
  return { perSecond, cpu: ((await server.cpu()) - before) / answered }
}

async function start(
  command: (port: number) => readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Server> {
  const port = await freePort()
  const child = spawn(process.execPath, [...REPORTING, ...command(port)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  })
  await listening(child, port)
  return { port, pid: child.pid, cpu: () => cpuOf(child), stop: () => stop(child) }
}

async function cpuOf(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message')
  child.send('cpu')
  return Number((await answer)[0])
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('No port is free')
  return address.port
}

/** Waits until the server answers, for at most 20 seconds. Throws if the server ends before. */
export async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const end = endOf(child)
    if (end !== null) throw new Error(`The server ended with ${end}`)
    if (await answers(port)) return
    await pause(50)
  }
  child.kill('SIGKILL')
  throw new Error('The server did not begin to listen')
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

/** Exit code or signal of a process; null while it runs. A killed process has only a signal. */
function endOf({ exitCode, signalCode }: ChildProcess): number | NodeJS.Signals | null {
  return exitCode ?? signalCode
}

async function stop(child: ChildProcess): Promise<void> {
  if (endOf(child) !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(late)
}
