import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverUser } from '../test/support/postgres-binaries.js'
import { freePort } from '../test/support/postgres-server.js'

const PROGRAM = '/usr/sbin/pgbouncer'

/** PgBouncer in front of a server, pooling by session. */
export interface Bouncer {
  /** Address of the database through PgBouncer. */
  readonly url: string
  stop(): Promise<void>
}

/** Starts Debian's PgBouncer in front of a database. */
export async function startBouncer(databaseUrl: string): Promise<Bouncer> {
  if (!existsSync(PROGRAM)) throw new Error(`There is no ${PROGRAM}; apt-get install pgbouncer brings it`)
  const server = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'payctl-pgbouncer-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const port = await freePort()
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} user=${server.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = session',
    'max_client_conn = 300',
    'default_pool_size = 200',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const program = spawn(PROGRAM, [file], { ...serverUser(), cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  await listening(program.stderr)
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    async stop() {
      const closed = once(program, 'close')
      program.kill('SIGKILL')
      await closed
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listening(log: NodeJS.ReadableStream): Promise<void> {
  const said: string[] = []
  await new Promise<void>((resolve, reject) => {
    log.on('data', (chunk: Buffer) => {
      said.push(chunk.toString())
      if (said.join('').includes('process up')) resolve()
    })
    log.once('end', () => reject(new Error(`PgBouncer did not start: ${said.join('')}`)))
  })
}
