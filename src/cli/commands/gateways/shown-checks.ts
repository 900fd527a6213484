import { objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'

/** Marks of the states of a check. */
const MARKS = new Map([
  ['ok', '✓'],
  ['failed', '✗'],
  ['unavailable', '–'],
])

/** A line of a table for each check of a gateway. */
export function shownChecks(gateway: JsonObject): readonly JsonObject[] {
  return objectsIn(gateway, 'checks').map(({ name = null, state, found = null }) => ({
    mark: MARKS.get(String(state)) ?? String(state),
    check: name,
    found,
  }))
}

/** Names of the checks that have failed. */
export function failedChecks(gateway: JsonObject): readonly string[] {
  return objectsIn(gateway, 'checks').flatMap(({ name, state }) => (state === 'failed' ? [String(name)] : []))
}
