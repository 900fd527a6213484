import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import process from 'node:process'

const NOBODY = 65534

/**
 * Words before a command that remove root's access to all files, so that file modes apply. Empty for a user
 * other than root; undefined if that is impossible.
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

/** Runs work without root's access to all files. The user must be able to enter the folders. */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0 || !process.seteuid) return work()
  process.seteuid(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid(0)
  }
}
