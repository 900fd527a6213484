import { type FlagDescription, isOpenNumber } from '../../../schema/flag-description.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { UsageError } from '../failure/failure.js'
import { has, put } from '../input/body.js'
import { readContent } from '../input/data.js'
import { typedDate } from '../input/date-order.js'
import { lacks } from '../input/lacking.js'
import { type SecretSources, secretFrom, secretFromVariable, variableOf } from '../input/secret-sources.js'
import { isDateWord, readDateText, readJsonText } from '../input/typed-values.js'

export type GivenFlags = Readonly<Record<string, Json | undefined>>

export interface CollectSources extends SecretSources {
  /**
   * The environment's time, in milliseconds since 1970; needed for a date given as a word, such as `today`.
   */
  now(): Promise<number>
}

/**
 * Body of a request: the data, overridden by flags, with secrets from their sources, and prompts for missing required
 * attributes. Without prompts, throws a `UsageError` that names the missing flags.
 */
export async function collectInput(
  descriptions: readonly FlagDescription[],
  given: GivenFlags,
  data: JsonObject,
  sources: CollectSources,
): Promise<JsonObject> {
  const body = await collectGiven(descriptions, given, data, sources)
  await completeWith(sources, descriptions, body)
  return body
}

/** Body of a request from data, flags and secrets, without the missing attributes. */
export async function collectGiven(
  descriptions: readonly FlagDescription[],
  given: GivenFlags,
  data: JsonObject,
  sources: CollectSources,
): Promise<JsonObject> {
  const body = structuredClone(data)
  for (const description of descriptions) {
    const value = given[description.name]
    if (value !== undefined) put(body, description.path, await givenValue(description, value, sources))
  }
  const secrets = descriptions.filter(({ kind, path }) => kind === 'secret' && !has(body, path))
  for (const secret of secrets) {
    const value = secretFromVariable(secret, body, sources.variables)
    if (value) put(body, secret.path, value)
  }
  return body
}

async function givenValue(description: FlagDescription, value: Json, sources: CollectSources): Promise<Json> {
  const { kind, name, field } = description
  if (kind === 'secret') return await secretFrom(description, String(value), sources)
  if (isOpenNumber(field) && value === '-') return await sources.stdin.line(name)
  if (kind === 'date' || kind === 'datetime') return await dateOf(String(value), sources)
  if (kind === 'file') return await readContent(String(value))
  return kind === 'json' ? readJsonText(String(value), `--${name}`) : value
}

async function dateOf(text: string, { now }: CollectSources): Promise<string> {
  return isDateWord(text) ? readDateText(text, await now()) : typedDate(text)
}

/**
 * Prompts for missing attributes that are required, or needed in practice, and puts them into the body. Without
 * prompts, throws a `UsageError` that names the missing required attributes; only the service checks the other
 * attributes.
 */
export async function completeWith(
  sources: CollectSources,
  descriptions: readonly FlagDescription[],
  body: JsonObject,
): Promise<void> {
  const { prompts } = sources
  if (!prompts) {
    const missing = descriptions.filter(({ required, path }) => required && !has(body, path))
    if (missing.length > 0) throw new UsageError(missing.map(missingText).join('\n'))
    return
  }
  for (const description of descriptions)
    if (lacks(body, description))
      put(body, description.path, await requestedValue(description, prompts, sources))
}

async function requestedValue(
  description: FlagDescription,
  prompts: NonNullable<SecretSources['prompts']>,
  sources: CollectSources,
): Promise<Json> {
  const { kind } = description
  const value = await prompts.value(description)
  if (kind === 'date' || kind === 'datetime') return await dateOf(String(value), sources)
  return kind === 'file' ? await readContent(String(value)) : value
}

function missingText({ name, kind, path }: FlagDescription): string {
  return kind === 'secret' ? `Missing --${name} - (or ${variableOf(path)})` : `Missing --${name}`
}
