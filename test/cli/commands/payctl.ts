import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Place } from '../../support/databases.js'
import { runFolder } from '../../support/run-folder.js'
import { type Outcome, runKept } from './kept-process.js'

const RUN = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))

export type { Outcome }

export interface Typed {
  readonly input?: string | Uint8Array
  readonly variables?: Readonly<Record<string, string>>
  /** A program with arguments that starts the command in a separate process; may be empty. */
  readonly through?: readonly string[]
}

/**
 * Runs `payctl` with piped streams and a clean environment. The process is reused for later commands, unless
 * there is input, a program that starts the command, or a variable that is not payctl's.
 */
export async function payctl(
  place: Pick<Place, 'home' | 'databaseUrl'>,
  words: readonly string[],
  typed: Typed = {},
): Promise<Outcome> {
  const { input, through, variables = {} } = typed
  const isPlain = Object.keys(variables).every((name) => name.startsWith('PAYCTL_'))
  return input === undefined && through === undefined && isPlain
    ? await runKept(words, environment(place, typed))
    : await payctlApart(place, words, typed)
}

/** Runs `payctl` in a separate process, as users do. */
async function payctlApart(
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

/** Starts a command that runs until it is stopped. */
export function start(
  place: Pick<Place, 'home' | 'databaseUrl'>,
  words: readonly string[],
  typed: Typed = {},
): ChildProcess {
  const [program = process.execPath, ...args] = [...(typed.through ?? []), process.execPath, RUN, ...words]
  return spawn(program, args, { env: environment(place, typed), stdio: 'pipe' })
}

function environment(
  { home, databaseUrl }: Pick<Place, 'home' | 'databaseUrl'>,
  { variables }: Typed,
): NodeJS.ProcessEnv {
  const database = databaseUrl === undefined ? {} : { PAYCTL_DATABASE_URL: databaseUrl }
  return {
    PATH: process.env['PATH'],
    XDG_CACHE_HOME: runFolder,
    PAYCTL_HOME: home,
    ...database,
    ...variables,
  }
}

async function all(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream ? await text(stream) : ''
}
