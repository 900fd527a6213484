import type { FlagDescription } from '../../../schema/flag-description.js'
import type { JsonObject } from '../../../schema/json.js'
import { has, valueAt } from './body.js'

/** Whether a body lacks an attribute that the declaration requires, or that is `needed` in the form. */
export function lacks(body: JsonObject, description: FlagDescription): boolean {
  const { form, path, required } = description
  if (has(body, path) || !applies(body, description)) return false
  if (required) return true
  const replaced = form?.needed?.unless.some((at) => has(body, at.split('.'))) ?? true
  return !replaced
}

/**
 * Whether the body has the value on which an attribute depends: a card number, for example, needs the type
 * `card`.
 */
export function applies(body: JsonObject, { form }: FlagDescription): boolean {
  return form?.with === undefined || valueAt(body, form.with.at.split('.')) === form.with.is
}
