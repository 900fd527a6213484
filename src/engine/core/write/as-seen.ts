import { createHash } from 'node:crypto'
import { canonicalText } from '../../../schema/ordered-json.js'
import { ApiError } from '../request/api-error.js'
import { type ApiResponse, type SeenObject, WrittenAnswer } from '../request/request.js'
import { parsePath, resolveRoute } from '../request/route.js'
import type { Work } from './work.js'

/** Key of a version conflict in the details of a refusal. Adapters recognize the conflict by it. */
export const SEEN_VERSION = 'version'

/**
 * Version of an object: a hash that any change of its row changes. The row is locked, so it cannot change
 * before the write. Throws `Conflict` if the object is gone or has another version.
 */
export async function expectAsSeen(work: Work, { path, version: seen }: SeenObject): Promise<string> {
  const route = resolveRoute(work.model, parsePath(path))
  const row = route.kind === 'item' ? await work.lock(route.resource, route.id) : undefined
  const version = row && createHash('sha256').update(canonicalText(row)).digest('base64url')
  if (version === undefined || (seen !== undefined && seen !== version))
    throw new ApiError('Conflict', `${path} has changed since it was shown`, {
      [SEEN_VERSION]: 'Has changed',
    })
  return version
}

/** Copy of an answer, with the version that the object had before the write. */
export function withVersion({ text, body, headers, status }: ApiResponse, version: string): ApiResponse {
  return new WrittenAnswer(text ?? JSON.stringify(body), headers, status, version)
}
