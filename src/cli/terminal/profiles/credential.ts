import type { Environment } from '../../../engine/store/database/store.js'
import { UsageError } from '../failure/failure.js'
import { readTextFile } from '../input/data.js'
import type { Variables } from '../input/platform-home.js'
import type { StandardInput } from '../input/stdin.js'
import type { Profile } from './profile.js'

/** A secret key, and where it came from. */
export interface Credential {
  readonly value: string
  readonly from: string
}

/** The key given by a flag. */
export interface GivenKey {
  /** A path; `-` reads a line of standard input. */
  readonly keyFile?: string | undefined
  readonly stdin: StandardInput
}

const FORM = /^(test_)?secret_key_[0-9A-Za-z]+$/

/**
 * The key for a server, from the flag, or else from the profile that names the server, or else from the
 * variables. Undefined if there is none. Throws a `UsageError` for a file that cannot be read, and for a
 * text that is not a key.
 */
export async function readKey(
  { keyFile, stdin }: GivenKey,
  { PAYCTL_KEY: variable, PAYCTL_KEY_FILE: file }: Variables,
  profile: (Profile & { readonly origin: string }) | undefined,
): Promise<Credential | undefined> {
  if (keyFile === '-') return checked(await stdin.line('key-file'), '--key-file')
  if (keyFile !== undefined) return await keyIn(keyFile, '--key-file')
  if (profile?.key !== undefined) return checked(profile.key, profile.origin)
  if (profile?.key_file !== undefined) return await keyIn(profile.key_file, profile.origin)
  if (variable) return checked(variable, 'PAYCTL_KEY')
  return file ? await keyIn(file, 'PAYCTL_KEY_FILE') : undefined
}

/** Checks the form of a secret key. Throws a `UsageError` that does not contain the text. */
export function checked(text: string, from: string): Credential {
  const value = text.trim()
  if (!FORM.test(value))
    throw new UsageError(`Expected a secret key from ${from} (secret_key_… or test_secret_key_…)`)
  return { value, from }
}

export function environmentOfKey(key: string): Environment {
  return key.startsWith('test_') ? 'test' : 'live'
}

/** Shortened form of a key, safe to print: its prefix, the first three characters and the last four. */
export function shownKey(key: string): string {
  return `${key.slice(0, key.lastIndexOf('_') + 4)}…${key.slice(-4)}`
}

async function keyIn(path: string, from: string): Promise<Credential> {
  return checked(await readTextFile(path, `key file ${path} of ${from}`), from)
}
