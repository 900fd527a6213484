import type { FastifyRequest } from 'fastify'
import { isDataUrl, readDataUrl } from '../../../schema/data-url.js'
import { isTree } from '../../../schema/types.js'
import type { Limits } from '../../api/http-limits.js'
import { isMultipart, parseMultipart } from '../../api/multipart.js'
import { FILE_FIELD } from '../write/write-fields.js'

/**
 * Takes the files out of a multipart form: `data:` URLs by the names of their fields. The other fields become the body,
 * in the format of a form without files, so that one reader checks every form.
 */
export async function takeFiles(
  request: FastifyRequest,
  limits: Limits,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  const { body, headers } = request
  const type = headers['content-type']
  if (type === undefined || !isMultipart(type) || !Buffer.isBuffer(body)) return files
  const sent = await parseMultipart(type, body, limits)
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(isTree(sent) ? sent : {})) {
    if (typeof value !== 'string') continue
    if (!name.startsWith(FILE_FIELD)) fields.append(name, value)
    // A field without a chosen file is sent as an empty one.
    else if (isDataUrl(value) && readDataUrl(value)?.bytes.length) files.set(name, value)
  }
  headers['content-type'] = 'application/x-www-form-urlencoded'
  request.body = Buffer.from(fields.toString())
  return files
}
