import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const MEMORY = '/dev/shm'
/** Three servers of PostgreSQL with their databases take 2.5 GB of it. */
const ENOUGH = 6 * 1024 ** 3
const NAME = /^payctl-tests-(?<pid>\d+)$/

/**
 * The folder of databases and other files of a run: in memory if there is room, so that thousands of commits wait for no
 * disk (a killed process loses nothing by that). Made and removed by the process that starts the others; if that was
 * killed, removed by the next run.
 */
export const runFolder: string = process.env['PAYCTL_TEST_FOLDER'] ?? make()

function make(): string {
  const parent = hasRoom(MEMORY) ? MEMORY : tmpdir()
  removeAbandoned(parent)
  const folder = join(parent, `payctl-tests-${process.pid}`)
  // A server that runs as another user must be able to enter it.
  mkdirSync(folder, { mode: 0o711 })
  process.once('exit', () => removePatiently(folder))
  process.env['PAYCTL_TEST_FOLDER'] = folder
  return folder
}

/**
 * Removes a folder into which processes that are being ended may still write: `rmSync` itself repeats the removal of the
 * folder, but not that of new files in it. What is left after two seconds, the next run removes.
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

/** Whether a process is running; one of another user gives EPERM. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
