import { string } from '@oclif/core/flags'
import { UsageError } from '../../terminal/failure/failure.js'
import { readTextFile } from '../../terminal/input/data.js'
import type { StandardInput } from '../../terminal/input/stdin.js'
import { type Prompts, promptsFor } from '../../terminal/prompts/prompts.js'

export const passphraseFlags = {
  'passphrase-file': string({
    env: 'PAYCTL_PASSPHRASE_FILE',
    summary: 'file with the passphrase in its first line; - reads a line of standard input',
    helpValue: '<file>',
  }),
}

interface Given {
  readonly 'passphrase-file'?: string | undefined
  readonly 'no-input': boolean
}

/** Reads the passphrase of exported keys from a file, standard input, `PAYCTL_PASSPHRASE` or a prompt. */
export async function passphraseFrom(given: Given, stdin: StandardInput): Promise<string> {
  return (await givenPassphrase(given, stdin)) ?? (await promptFor(expectPrompts(given), 'passphrase'))
}

/**
 * Reads the passphrase for a new export. A prompt asks twice, because an export with a mistyped passphrase
 * could never be decrypted.
 */
export async function newPassphraseFrom(given: Given, stdin: StandardInput): Promise<string> {
  const passphrase = await givenPassphrase(given, stdin)
  if (passphrase !== undefined) return passphrase
  const prompts = expectPrompts(given)
  const typed = await promptFor(prompts, 'passphrase')
  if ((await promptFor(prompts, 'passphrase again')) === typed) return typed
  throw new UsageError('The two passphrases differ')
}

async function givenPassphrase(
  { 'passphrase-file': path }: Given,
  stdin: StandardInput,
): Promise<string | undefined> {
  if (path === '-') return await stdin.line('passphrase-file')
  if (path !== undefined) return await firstLine(path)
  return process.env['PAYCTL_PASSPHRASE'] || undefined
}

function expectPrompts(given: Given): Prompts {
  const prompts = promptsFor(given['no-input'])
  if (!prompts) throw new UsageError('Missing --passphrase-file - (or PAYCTL_PASSPHRASE)')
  return prompts
}

async function promptFor(prompts: Prompts, name: string): Promise<string> {
  const description = { name, path: [name], kind: 'secret', doc: '', required: true, choices: [] } as const
  return String(await prompts.value(description))
}

async function firstLine(path: string): Promise<string> {
  const [line = ''] = (await readTextFile(path)).split(/\r?\n/)
  return line
}
