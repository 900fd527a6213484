import { spawn } from 'node:child_process'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Place } from '../../support/databases.js'
import type { Outcome } from './payctl.js'

const ALL = fileURLToPath(new URL('./all-in-one.cjs', import.meta.url))

/** Runs many commands one after the other in one process, as `payctl` does, without prompts. */
export async function payctlMany(
  { home, databaseUrl }: Pick<Place, 'home' | 'databaseUrl'>,
  commands: readonly (readonly string[])[],
  variables: Readonly<Record<string, string>> = {},
): Promise<readonly Outcome[]> {
  const database = databaseUrl === undefined ? {} : { PAYCTL_DATABASE_URL: databaseUrl }
  const env = { PATH: process.env['PATH'], PAYCTL_HOME: home, ...database, ...variables }
  const child = spawn(process.execPath, [ALL], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(commands))
  return JSON.parse(await text(child.stdout))
}
