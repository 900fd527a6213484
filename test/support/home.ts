import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runFolder } from './run-folder.js'

/** An empty folder for databases and keys. */
export function emptyHome(): string {
  return mkdtempSync(join(runFolder, 'payctl-test-'))
}

/** Runs work with an empty folder, which is removed afterwards. */
export async function inHome<T>(work: (home: string) => T | Promise<T>): Promise<T> {
  const home = emptyHome()
  try {
    return await work(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
