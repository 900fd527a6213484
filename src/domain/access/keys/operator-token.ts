import { ApiError, invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Principal } from '../../../engine/core/request/principal.js'
import type { Work } from '../../../engine/core/write/work.js'
import { resources } from '../../../resources/resource-table.js'
import type { JsonObject } from '../../../schema/json.js'
import type { InputFor } from '../../../schema/types.js'

type KeyInput = InputFor<typeof resources.api_key>

/**
 * Id of the active operator whose role and accounts a new key gets; such a key has no other permissions. Null for a
 * key with permissions of its own. Throws `Forbidden` unless an owner makes the key of an operator.
 */
export async function operatorOfToken(work: Work, input: KeyInput): Promise<string | null> {
  const { operator_id: id } = input
  if (!id) return null
  refuseUnlessOwner(work.principal)
  const details: JsonObject = {}
  if (input.manage === 1) details.manage = OWN
  if (input.grants) details.grants = OWN
  if (input.processing_ids) details.processing_ids = OWN
  const operator = await work.find(resources.operator, id)
  if (operator?.status !== 'active') details.operator_id = operator ? 'The operator is disabled' : 'Not found'
  if (Object.keys(details).length > 0) throw invalidAttributes(details)
  return id
}

const OWN = "A key of an operator has the operator's permissions only"

/**
 * Throws `Forbidden` unless the caller is an owner or the service itself. A key of an operator may do more than the
 * key that makes it.
 */
export function refuseUnlessOwner({ kind, role, processingIds }: Principal): void {
  if (kind === 'system' || (role === 'owner' && !processingIds)) return
  throw new ApiError('Forbidden', 'Keys that stand for an operator need the role owner')
}
