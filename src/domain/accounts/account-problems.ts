import type { InputByName } from '../../engine/core/write/work.js'
import type { JsonObject } from '../../schema/json.js'

/** Attributes that only one type of account has. Answers `details` of those sent for the other; nothing when none was. */
export function accountProblems(
  type: 'customer' | 'processing',
  input: InputByName['account'],
): JsonObject | undefined {
  const problems: JsonObject = {}
  if (type === 'customer') {
    if (isFilled(input.processing)) problems.processing = 'Only for processing accounts'
    if (input.legal_entity) problems.legal_entity = 'Only for processing accounts'
  } else if (input.primary_processing_id) problems.primary_processing_id = 'Only for customers'
  return Object.keys(problems).length > 0 ? problems : undefined
}

function isFilled(group: object | null | undefined): boolean {
  return Object.values(group ?? {}).some((value) => value !== null && value !== undefined)
}
