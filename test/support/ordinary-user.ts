import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import process from 'node:process'

const NOBODY = 65534

/**
 * Words before a command that take away root's power over all files, so that file modes apply to it: none for another user,
 * undefined where that is impossible.
 */
export function withoutPowers(): readonly string[] | undefined {
  if (process.geteuid?.() !== 0) return []
  const words = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search']
  return spawnSync('setpriv', [...words.slice(1), 'true']).status === 0 ? words : undefined
}

/** Makes the ordinary user the owner of a file, if this process runs as root. */
export function giveToOrdinaryUser(path: string): void {
  if (process.geteuid?.() === 0) chownSync(path, NOBODY, NOBODY)
}

/** Runs work without the powers of root, for which no file is read-only. Folders must be open to the user. */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0 || !process.seteuid) return work()
  process.seteuid(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid(0)
  }
}
