import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import process from 'node:process'

const NOBODY = 65534

/**
 * Words before a command that take from root the power over all files, so that a file's mode counts for it as well:
 * none for another user, nothing where that cannot be done.
 */
export function withoutPowers(): readonly string[] | undefined {
  if (process.geteuid?.() !== 0) return []
  const words = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search']
  return spawnSync('setpriv', [...words.slice(1), 'true']).status === 0 ? words : undefined
}

/** Lets that user own a file, where there is another one than the one of this process. */
export function giveToOrdinaryUser(path: string): void {
  if (process.geteuid?.() === 0) chownSync(path, NOBODY, NOBODY)
}

/** Runs work without the powers of root, for whom no file is read-only. Folders have to be open to the user. */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0 || !process.seteuid) return work()
  process.seteuid(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid(0)
  }
}
