import type { JsonObject } from '../../../schema/json.js'
import { isObject } from '../../terminal/input/body.js'

/** Marks of the states of a check. */
const MARKS = new Map([
  ['ok', '✓'],
  ['failed', '✗'],
  ['unavailable', '–'],
])

/** A line of a table for each check of a gateway. */
export function shownChecks({ checks }: JsonObject): readonly JsonObject[] {
  const all = Array.isArray(checks) ? checks.filter(isObject) : []
  return all.map(({ name = null, state, found = null }) => ({
    mark: MARKS.get(String(state)) ?? String(state),
    check: name,
    found,
  }))
}

/** Names of the checks that have failed. */
export function failedChecks({ checks }: JsonObject): readonly string[] {
  const all = Array.isArray(checks) ? checks.filter(isObject) : []
  return all.flatMap(({ name, state }) => (state === 'failed' ? [String(name)] : []))
}
