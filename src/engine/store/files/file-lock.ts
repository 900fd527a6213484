import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { codeOf } from '../../../platform/error-code.js'
import { StoreError } from '../database/store-error.js'

/** Milliseconds between two attempts to take a lock, followed by the maximum number of attempts. */
const PAUSE = 5
const MAX_ATTEMPTS = 2_000

/**
 * Runs short `work` while no other process of this machine runs work under the same lock file. The file
 * holds the id of its process, so that the lock of a killed process can be removed. Throws a `StoreError`
 * after ten seconds.
 */
export function withFileLock<T>(lock: string, work: () => T): T {
  for (let attempt = 1; !isTaken(lock); attempt++) {
    if (attempt === MAX_ATTEMPTS)
      throw new StoreError('busy', `Another process holds ${lock}; if none does, remove that file.`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
  }
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Tries to take the lock and returns whether it succeeded. The lock file always appears with its content. */
function isTaken(lock: string): boolean {
  const draft = `${lock}.${process.pid}`
  writeFileSync(draft, String(process.pid), { mode: 0o600 })
  try {
    linkSync(draft, lock)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (!isRunning(holderOf(lock))) remove(lock, draft)
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Removes an abandoned lock. If another process has taken it since, its lock is put back. */
function remove(lock: string, aside: string): void {
  try {
    renameSync(lock, aside)
    if (isRunning(holderOf(aside))) linkSync(aside, lock)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error
  }
}

/** Id of the process that holds a lock; undefined if the lock is gone. */
function holderOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return true
  // This process does not hold the lock: a killed one had the same id, as happens in containers.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}
