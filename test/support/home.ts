import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs work on an empty folder, which is removed afterwards. */
export async function inHome<T>(work: (home: string) => T | Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'payctl-test-'))
  try {
    return await work(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
