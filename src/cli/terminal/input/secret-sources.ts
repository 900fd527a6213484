import type { Environment } from '../../../engine/store/database/store.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { UsageError } from '../failure/failure.js'
import { has } from './body.js'
import type { Variables } from './platform-home.js'
import type { StandardInput } from './stdin.js'

/** A flag for a secret. If its field is given, a prompt validates the typed value at once. */
export type SecretFlag = Pick<FlagDescription, 'name' | 'path'> & Partial<FlagDescription>

/** Sources of secrets besides flags. */
export interface SecretSources {
  readonly environment: Environment
  readonly stdin: StandardInput
  /** Prompts on the terminal; undefined if none may be shown. */
  readonly prompts: { value(description: FlagDescription): Promise<Json> } | undefined
  readonly variables: Variables
  /** Prints a warning, unless the output is for a program. */
  readonly warn: (text: string) => void
}

/**
 * Value of a secret flag: `-` prompts on a terminal, and reads a line of standard input elsewhere. The secret itself is
 * accepted only in the test environment, with a warning. Other users see a command line (`ps`), and the shell's history
 * keeps it.
 */
export async function secretFrom(
  secret: SecretFlag,
  given: string,
  { environment, stdin, prompts, warn }: SecretSources,
): Promise<string> {
  const { name, path } = secret
  if (given === '-' && prompts)
    return String(await prompts.value({ doc: '', required: true, choices: [], ...secret, kind: 'secret' }))
  if (given === '-') return await stdin.line(name)
  if (environment === 'live')
    throw new UsageError(
      `Expected --${name} - in the live environment: secrets are read from standard input or prompted for`,
    )
  warn(
    `Warning: ps and the shell's history show what --${name} was given, and live refuses it. ` +
      `Set ${variableOf(path)}, or read it from standard input or a prompt with --${name} -`,
  )
  return given
}

/**
 * A secret from its variable (`PAYCTL_CARD_NUMBER`). The variable is used only if the secret is required, or another
 * attribute of its group is given. So a variable that is still set affects no other command.
 */
export function secretFromVariable(
  { path, required }: FlagDescription,
  body: JsonObject,
  variables: Variables,
): string | undefined {
  const expected = required || (path.length > 1 && has(body, path.slice(0, -1)))
  return expected ? variables[variableOf(path)] : undefined
}

/** Variable of a secret: `['card', 'card_number']` is read from `PAYCTL_CARD_NUMBER`. */
export function variableOf(path: readonly string[]): string {
  return `PAYCTL_${(path[path.length - 1] ?? '').toUpperCase()}`
}
