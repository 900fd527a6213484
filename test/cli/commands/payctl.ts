import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Place } from '../../support/databases.js'

const RUN = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))

export interface Outcome {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Typed {
  readonly input?: string
  readonly variables?: Readonly<Record<string, string>>
  /** Words before the command: a program that runs it in its own way. */
  readonly through?: readonly string[]
}

/** Runs `payctl` as its users do: a process of its own, its streams piped, nothing of ours in its environment. */
export async function payctl(
  place: Pick<Place, 'home' | 'databaseUrl'>,
  words: readonly string[],
  typed: Typed = {},
): Promise<Outcome> {
  const child = start(place, words, typed)
  const exit = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  )
  child.stdin?.end(typed.input ?? '')
  const [stdout, stderr, exitCode] = await Promise.all([all(child.stdout), all(child.stderr), exit])
  return { exitCode, stdout, stderr }
}

/** The same, for a command that goes on by itself. */
export function start(
  { home, databaseUrl }: Pick<Place, 'home' | 'databaseUrl'>,
  words: readonly string[],
  { variables, through = [] }: Typed = {},
): ChildProcess {
  const database = databaseUrl === undefined ? {} : { PAYCTL_DATABASE_URL: databaseUrl }
  const env = { PATH: process.env['PATH'], PAYCTL_HOME: home, ...database, ...variables }
  const [program = process.execPath, ...args] = [...through, process.execPath, RUN, ...words]
  return spawn(program, args, { env, stdio: 'pipe' })
}

async function all(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream ? await text(stream) : ''
}
