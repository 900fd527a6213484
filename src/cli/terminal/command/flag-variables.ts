import process from 'node:process'
import type { FlagInput } from '@oclif/core/interfaces'
import { UsageError } from '../failure/failure.js'
import type { Variables } from '../input/platform-home.js'

/** Variable of a flag: `transactions:list` and `order-by` make `PAYCTL_TRANSACTIONS_LIST_ORDER_BY`. */
export function variableOfFlag(id: string, name: string): string {
  return `PAYCTL_${id}_${name}`.toUpperCase().replace(/[^A-Z0-9]/g, '_')
}

/**
 * Whether a flag has a variable named after its command and itself. Secrets, and flags with a variable of
 * their own, have none.
 */
function hasVariableOfCommand(name: string, flag: FlagInput[string]): boolean {
  const isSecret = flag.type === 'option' && flag.helpValue === '-'
  return flag.env === undefined && !isSecret && name !== 'json' && name !== 'no-color'
}

/**
 * Flags whose variable was set by `nameVariables`. Global flags are the same objects in all commands, so their
 * variables are set again for each command.
 */
const named = new WeakSet<object>()

/** The variable that a flag declares itself. */
export function ownVariable(flag: { readonly env?: string | undefined }): string | undefined {
  return named.has(flag) ? undefined : flag.env
}

/** Gives each flag of a command its variable. Help states the rule instead of listing these variables. */
export function nameVariables(id: string, flags: FlagInput, variables: Variables): void {
  for (const [name, flag] of Object.entries(flags)) {
    if (!named.has(flag) && !hasVariableOfCommand(name, flag)) continue
    named.add(flag)
    const variable = variableOfFlag(id, name)
    const value = variables[variable]
    // For flags with several values, oclif would use the string itself as the list.
    if (flag.type === 'option' && flag.multiple) flag.default = value ? [value] : undefined
    else flag.env = variable
  }
}

/**
 * An error of the parser, naming variables instead of flags whose values came from variables. Other errors
 * are returned unchanged. `isTyped` is whether a flag is on the command line of the command `id`.
 */
export function namingVariables(
  error: unknown,
  { id, flags, isTyped }: { id: string; flags: FlagInput; isTyped: (name: string) => boolean },
): unknown {
  if (!(error instanceof Error)) return error
  let text = error.message
  for (const [name, { env = variableOfFlag(id, name) }] of Object.entries(flags)) {
    if (isTyped(name) || !process.env[env]) continue
    text = text.replace(
      new RegExp(`(Parsing |Expected )--${name.replaceAll('.', '\\.')}(?![\\w.-])`),
      `$1${env}`,
    )
  }
  return text === error.message ? error : new UsageError(text)
}
