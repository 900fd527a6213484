import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const MEMORY = '/dev/shm'
/** Required memory in bytes: three PostgreSQL servers with their databases take 2.5 GB. */
const ENOUGH = 6 * 1024 ** 3
const NAME = /^payctl-tests-(?<pid>\d+)$/

/**
 * The folder of databases and other files of a test run. It is in memory if there is room, so that commits do
 * not wait for a disk; a killed process still loses no data. The first process makes and removes it. If that
 * process was killed, the next run removes it.
 */
export const runFolder: string = process.env['PAYCTL_TEST_FOLDER'] ?? make()

function make(): string {
  const parent = hasRoom(MEMORY) ? MEMORY : tmpdir()
  removeAbandoned(parent)
  const folder = join(parent, `payctl-tests-${process.pid}`)
  // The folder must be open to a server that runs as another user.
  mkdirSync(folder, { mode: 0o711 })
  process.once('exit', () => removePatiently(folder))
  process.env['PAYCTL_TEST_FOLDER'] = folder
  return folder
}

/**
 * Removes a folder into which ending processes may still write. `rmSync` retries the removal of the folder,
 * but not of new files in it. Files left after two seconds are removed by the next run.
 */
function removePatiently(folder: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true })
      return
    } catch {
      Atomics.wait(pause, 0, 0, 100)
    }
  }
}

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize >= ENOUGH
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(NAME.exec(name)?.groups?.['pid'])
    if (pid > 0 && !isRunning(pid)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/** Whether a process is running; a process of another user gives EPERM. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
