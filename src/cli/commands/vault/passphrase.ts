import { string } from '@oclif/core/flags'
import { UsageError } from '../../terminal/failure/failure.js'
import { readTextFile } from '../../terminal/input/data.js'
import type { StandardInput } from '../../terminal/input/stdin.js'
import { type Prompts, promptsFor } from '../../terminal/prompts.js'

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

/** Reads the passphrase of exported keys from a file, standard input, `PAYCTL_PASSPHRASE` or a prompt; `forNew` prompts twice. */
export async function passphraseFrom(given: Given, stdin: StandardInput, forNew = false): Promise<string> {
  const { 'passphrase-file': path } = given
  if (path === '-') return await stdin.line('passphrase-file')
  if (path !== undefined) return await firstLine(path)
  const { PAYCTL_PASSPHRASE: variable } = process.env
  if (variable) return variable
  const prompts = promptsFor(given['no-input'])
  if (!prompts) throw new UsageError('Missing --passphrase-file - (or PAYCTL_PASSPHRASE)')
  const passphrase = await promptFor(prompts, 'passphrase')
  // With a typing error, the export could never be opened.
  if (forNew && (await promptFor(prompts, 'passphrase again')) !== passphrase)
    throw new UsageError('The two passphrases differ')
  return passphrase
}

async function promptFor(prompts: Prompts, name: string): Promise<string> {
  const description = { name, path: [name], kind: 'secret', doc: '', required: true, choices: [] } as const
  return String(await prompts.value(description))
}

async function firstLine(path: string): Promise<string> {
  const [line = ''] = (await readTextFile(path)).split(/\r?\n/)
  return line
}
