import process from 'node:process'
import { boolean, option, string } from '@oclif/core/flags'
import { type RailSecret, rails } from '../../../gateways/registry/rails.js'
import type { CollectSources } from '../../terminal/command/collect-input.js'
import { readTextFile } from '../../terminal/input/data.js'
import { secretFrom, variableOf } from '../../terminal/input/secret-sources.js'

/** Credentials of all rails, by flag. */
const SECRETS = new Map<string, RailSecret>(
  Object.values(rails).flatMap(({ secrets }) => secrets.map((secret) => [flagOf(secret), secret] as const)),
)

/** A flag for each public credential, and two flags for each secret: for standard input and for a file. */
export const secretFlags = Object.fromEntries(
  [...SECRETS].flatMap(([name, { doc, isPublic }]) =>
    isPublic
      ? [[name, string({ summary: doc, helpValue: '<text>' })]]
      : [
          [name, string({ summary: `${doc}; - reads a line of standard input`, helpValue: '-' })],
          [`${name}-file`, string({ summary: `file with ${doc}`, helpValue: '<file>' })],
        ],
  ),
)

/** Settings of a gateway that can be changed later. */
export const settingFlags = {
  'base-url': string({
    summary: 'address of its requests, if its kind has no fixed one',
    helpValue: '<url>',
  }),
  merchant: string({
    summary: "the merchant's account at the gateway, if the credentials reach several",
    helpValue: '<id>',
  }),
  numbers: option({
    options: ['keep', 'tokenize'] as const,
    summary: 'tokenize: drop card numbers as soon as the gateway has given a token',
  })(),
  'card-entry': boolean({
    allowNo: true,
    summary:
      'payers type card numbers into pages of payctl for it, which is SAQ D; otherwise into its own fields',
  }),
}

/**
 * Warning for a gateway whose card numbers are typed into pages of this service, printed before the gateway is
 * connected.
 */
export const CARD_ENTRY_WORDS =
  'Card numbers will be typed into pages of payctl and pass through this machine: that is SAQ D.'

/** A secret from its flag, file or variable; undefined if none is given. */
export async function givenSecret(
  given: { readonly [flag: string]: unknown },
  secret: RailSecret,
  sources: CollectSources,
): Promise<string | undefined> {
  const flag = flagOf(secret)
  const path = [secret.name]
  const file = given[`${flag}-file`]
  if (typeof file === 'string') return (await readTextFile(file)).trim()
  const typed = given[flag]
  if (typeof typed === 'string')
    return secret.isPublic ? typed : await secretFrom({ name: flag, path }, typed, sources)
  return process.env[variableOf(path)] || undefined
}

/** Name of a secret's flag. */
export function flagOf({ name }: RailSecret): string {
  return name.replaceAll('_', '-')
}

/** Description of a value, for a prompt on a terminal. */
export function promptFor(name: string, doc: string, isSecret = false) {
  return { name, path: [name], kind: isSecret ? 'secret' : 'text', choices: [], required: true, doc } as const
}
