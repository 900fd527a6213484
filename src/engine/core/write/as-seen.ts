import { createHash } from 'node:crypto'
import { canonicalText } from '../../../schema/ordered-json.js'
import { ApiError } from '../request/api-error.js'
import { type ApiResponse, type SeenObject, WrittenAnswer } from '../request/request.js'
import { parsePath, resolveRoute } from '../request/route.js'
import type { Work } from './work.js'

/** Names the version in the details of a refusal, by which adapters tell it from other conflicts. */
export const VERSION = 'version'

/**
 * The version of an object, which any change of its row changes. Locks the row, so that the unit of work decides about what
 * the client has seen. Throws `Conflict` if the object is gone or has another version.
 */
export async function expectAsSeen(work: Work, { path, version: seen }: SeenObject): Promise<string> {
  const route = resolveRoute(work.model, parsePath(path))
  const row = route.kind === 'item' ? await work.lock(route.resource, route.id) : undefined
  const version = row && createHash('sha256').update(canonicalText(row)).digest('base64url')
  if (version === undefined || (seen !== undefined && seen !== version))
    throw new ApiError('Conflict', `${path} has changed since it was shown`, { [VERSION]: 'Has changed' })
  return version
}

/** The answer with the version of the object that was seen before. */
export function withVersion({ text, body, headers, status }: ApiResponse, version: string): ApiResponse {
  return new WrittenAnswer(text ?? JSON.stringify(body), headers, status, version)
}
