import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { postgresBinaries, type ServerUser, serverUser } from './postgres-binaries.js'

/** A PostgreSQL server for tests, on 127.0.0.1. It ends with this process, even if this process is killed. */
export interface PostgresServer {
  /** Address of the server, `postgres://…/`; append the name of a database. */
  readonly url: string
  /** Ends the server with SIGKILL, as a crash does. Its folder stays until `stop`. */
  kill(): void
  stop(): Promise<void>
}

/** Options of initdb. They sort texts by English rules, so that tests notice a column without its own collation. */
const CLUSTER = [
  '--username=payctl',
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=icu',
  '--icu-locale=en',
  '--no-sync',
]

/** Options without durability, for speed; durability is tested on SQLite. */
const NOT_DURABLE = ['fsync=off', 'full_page_writes=off']

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=300',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=4GB',
  'checkpoint_timeout=1d',
  'autovacuum=off',
  'bgwriter_lru_maxpages=0',
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'io_method=sync',
  'deadlock_timeout=50ms',
  'lc_messages=C',
]

/** Name of the only user that needs a password; the test of passwords creates this user. */
export const GUARDED = 'guarded'
const ASK_GUARDED = `host all ${GUARDED} 127.0.0.1/32 scram-sha-256\n`

/**
 * A shell script that runs the server until standard input ends, as it does when the test process is killed. It
 * then stops the server at once, without saving data, and removes the folder.
 */
const SUPERVISOR = `folder=$0
"$@" &
server=$!
read -r _
kill -QUIT $server
wait $server
rm -rf "$folder"`

export interface ServerOptions {
  /** Folder in which the server's folder is created; it may be on a disk. */
  readonly parent?: string
  /** Whether commits are durable on the disk. */
  readonly isDurable?: boolean
}

/** A new, stopped server in a folder of its own, which is removed when the server stops. */
interface Cluster {
  readonly folder: string
  readonly user: ServerUser
  readonly binaries: string
}

/** Starts a server in its own folder, in a second or two. */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  return await running(await makeCluster(options), options.isDurable ? [] : NOT_DURABLE)
}

/** A primary server and a standby that has each commit before the commit is acknowledged. Both are durable. */
export interface PostgresPair {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
}

export async function startPostgresPair({
  parent,
}: Pick<ServerOptions, 'parent'> = {}): Promise<PostgresPair> {
  const cluster = await makeCluster({ parent })
  const copy = await makeCluster({ parent, copied: cluster })
  const replicates = ['wal_level=replica', 'max_wal_senders=10']
  const primary = await running(cluster, [...replicates, 'synchronous_standby_names=*'])
  const conninfo = `host=127.0.0.1 port=${new URL(primary.url).port} user=payctl`
  writeFileSync(join(copy.folder, 'data', 'standby.signal'), '')
  const standby = await running(copy, [...replicates, `primary_conninfo=${conninfo}`])
  return { primary, standby }
}

async function makeCluster({
  parent = tmpdir(),
  copied,
}: {
  readonly parent?: string
  readonly copied?: Cluster
}): Promise<Cluster> {
  const folder = mkdtempSync(join(parent, 'payctl-postgres-'))
  const user = serverUser()
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const binaries = postgresBinaries(folder, user)
  const data = join(folder, 'data')
  if (copied) {
    await succeeded(spawn('cp', ['-a', join(copied.folder, 'data'), data], { cwd: folder }))
    return { folder, user, binaries }
  }
  await succeeded(spawn(join(binaries, 'initdb'), [...CLUSTER, `--pgdata=${data}`], { ...user, cwd: folder }))
  const rules = join(data, 'pg_hba.conf')
  // The first matching rule applies.
  writeFileSync(rules, ASK_GUARDED + readFileSync(rules, 'utf8'))
  return { folder, user, binaries }
}

/** Runs a cluster with more settings than the usual ones. */
async function running(
  { folder, user, binaries }: Cluster,
  more: readonly string[],
): Promise<PostgresServer> {
  const port = await freePort()
  // The last of several values of a setting applies.
  const settings = [...SETTINGS, ...more, `port=${port}`].flatMap((setting) => ['-c', setting])
  const command = [join(binaries, 'postgres'), '-D', join(folder, 'data'), ...settings]
  // A separate process group, so that Ctrl-C reaches only the tests, which then end the server.
  const supervisor = spawn('sh', ['-c', SUPERVISOR, folder, ...command], {
    ...user,
    cwd: tmpdir(),
    detached: true,
  })
  await untilReady(supervisor)
  return {
    url: `postgres://payctl@127.0.0.1:${port}/`,
    kill() {
      const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    async stop() {
      supervisor.stdin.end()
      await once(supervisor, 'close')
    },
  }
}

async function succeeded(program: ChildProcess): Promise<void> {
  const said = listen(program)
  const [code] = await once(program, 'close')
  if (code !== 0) throw new Error(`${program.spawnfile} failed: ${said.join('')}`)
}

function listen(program: ChildProcess): string[] {
  const said: string[] = []
  program.stderr?.setEncoding('utf8').on('data', (text: string) => said.push(text))
  return said
}

async function untilReady(supervisor: ChildProcess): Promise<void> {
  const said = listen(supervisor)
  await new Promise<void>((resolve, reject) => {
    const failed = () => reject(new Error(`PostgreSQL did not start: ${said.join('')}`))
    const onOutput = () => {
      if (/ready to accept (read-only )?connections/.test(said.join(''))) resolve()
      // The script does not notice that the server failed to start, so its input is closed to end it.
      if (said.join('').includes('FATAL')) supervisor.stdin?.end()
    }
    supervisor.once('close', failed).stderr?.on('data', onOutput)
  })
  supervisor.stderr?.removeAllListeners('data').resume()
}

/** A port without a listener, outside the range from which the system gives ports to others in the meantime. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return await freePort()
  server.close()
  await once(server, 'close')
  return port
}
