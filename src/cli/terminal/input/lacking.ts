import type { FlagDescription } from '../../../schema/flag-description.js'
import type { JsonObject } from '../../../schema/json.js'
import { has, valueAt } from './body.js'

/** Whether a body lacks an attribute that the declaration requires, or that the form calls needed. */
export function lacks(body: JsonObject, description: FlagDescription): boolean {
  const { form, path, required } = description
  if (isGiven(body, path) || !applies(body, description)) return false
  if (required) return true
  const replaced = form?.needed?.unless.some((at) => has(body, at.split('.'))) ?? true
  return !replaced
}

/** Whether an attribute belongs to what is already in the body, as card numbers do to cards. */
export function applies(body: JsonObject, { form }: FlagDescription): boolean {
  return form?.with === undefined || valueAt(body, form.with.at.split('.')) === form.with.is
}

/** Whether there is a value, at its path or in the shorthand without its group: `card_number` for a card's number. */
function isGiven(body: JsonObject, path: readonly string[]): boolean {
  return has(body, path) || (path.length > 1 && has(body, path.toSpliced(-2, 1)))
}
