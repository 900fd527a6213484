import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import { putDetail } from '../../../engine/core/request/error-details.js'
import type { Work } from '../../../engine/core/write/work.js'
import { resources } from '../../../resources/resource-table.js'
import type { JsonObject } from '../../../schema/json.js'
import type { Registry } from '../../../schema/registry.js'
import { METHODS, type Method } from '../../../schema/resource.js'
import type { InputFor } from '../../../schema/types.js'
import { permissionsOfMaker, refuseExceeding } from './maker.js'
import { type Grants, type Permissions, textsOf } from './permissions.js'

const MAX_IDS = 100

/**
 * The permissions requested for a new key. Omitted permissions are those of the maker, if the maker is limited. Throws
 * `InvalidAttributes` for input that cannot be parsed, `Forbidden` for permissions beyond the maker's.
 */
export async function requestedPermissions(
  work: Work,
  input: InputFor<typeof resources.api_key>,
  registry: Registry,
): Promise<Permissions> {
  const maker = await permissionsOfMaker(work)
  const details: JsonObject = {}
  const processingIds = readProcessingIds(input.processing_ids, details)
  const grants = readGrants(input.grants, registry, details)
  if (input.expires_at && input.expires_at <= work.realNow) details.expires_at = 'Must be in the future'
  if (Object.keys(details).length > 0) throw invalidAttributes(details)
  const requested = {
    manage: input.manage === 1,
    processingIds: processingIds ?? maker.processingIds,
    grants: grants ?? maker.grants,
    expiresAt: input.expires_at ?? maker.expiresAt,
  }
  refuseExceeding(maker, requested)
  await refuseUnknownAccounts(work, processingIds ?? [])
  return requested
}

/** Ids as a list, or as text with commas. An empty list is refused, as it could mean no account or all of them. */
export function readProcessingIds(value: unknown, details: JsonObject): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  const ids = textsOf(value)
  if (!ids || ids.length === 0) details.processing_ids = 'Must be a list of ids'
  else if (ids.length > MAX_IDS) details.processing_ids = `Must have at most ${MAX_IDS} items`
  return ids
}

/** Throws `InvalidAttributes` for ids of no processing account in the caller's scope. */
export async function refuseUnknownAccounts(work: Work, ids: readonly string[]): Promise<void> {
  const unknown: JsonObject = {}
  for (const [index, id] of ids.entries()) {
    if (!(await work.find(resources.processing_account, id))) unknown[index] = 'Not found'
  }
  if (Object.keys(unknown).length > 0) throw invalidAttributes({ processing_ids: unknown })
}

/**
 * Grants such as `{"transactions": ["GET", "POST"]}`: methods by path segment, which must be that of a resource or an
 * operation.
 */
function readGrants(value: unknown, registry: Registry, details: JsonObject): Grants | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value) || Object.keys(value).length === 0) {
    details.grants = 'Must be verbs by path segment, as {"transactions":["GET","POST"]}'
    return undefined
  }
  const problems: JsonObject = {}
  const grants: Record<string, readonly Method[]> = {}
  for (const [segment, written] of Object.entries(value)) {
    const verbs = textsOf(written)?.map((verb) => METHODS.find((method) => method === verb.toUpperCase()))
    if (!registry.byPath(segment) && registry.operationsAt(segment).length === 0)
      putDetail(problems, [segment], 'Unknown path')
    else if (!verbs?.length || verbs.includes(undefined))
      putDetail(problems, [segment], `Must be one of: ${METHODS.join(', ')}`)
    else grants[segment] = METHODS.filter((method) => verbs.includes(method))
  }
  if (Object.keys(problems).length > 0) details.grants = problems
  return grants
}
