import type { ApiResponse } from '../../engine/core/request/request.js'
import type { ClientRequest, Json, JsonObject, QueryPair } from './client/client.js'
import { registry } from './declared-registry.js'
import { UsageError } from './failure/failure.js'
import { isObject } from './input/body.js'
import { allOf } from './pages.js'

/** An id as lists shorten it: `txn_…5jFK`. Three dots are typed more easily. */
const SHOWN = /^([a-z]+_)([0-9A-Za-z]*)(?:\u2026|\.{3})([0-9A-Za-z]*)$/

/** Names of attributes that hold ids. */
const IDS = /(^|_)id$/

/** Most ids that a message lists. */
const MAX_LISTED = 20

type Read = (request: ClientRequest) => Promise<ApiResponse>

/**
 * A request with whole ids in its path, its filters and its body. Throws a `UsageError` with all that fit if several do; an id
 * that none fits stays as it is, and is not found.
 */
export async function withWholeIds(read: Read, request: ClientRequest): Promise<ClientRequest> {
  const segments: string[] = []
  for (const segment of request.path.split('/')) {
    const id = await wholeId(read, segments.join('/'), decoded(segment))
    segments.push(id === undefined ? segment : encodeURIComponent(id))
  }
  const query: QueryPair[] = []
  for (const [name, value] of request.query ?? [])
    query.push([name, typeof value === 'string' ? await wholeAttribute(read, name, value) : value])
  const body = request.body === undefined ? undefined : await wholeBody(read, request.body)
  return {
    ...request,
    path: segments.join('/'),
    ...(request.query && { query }),
    ...(body !== undefined && { body }),
  }
}

/** The id of the one object at a path whose shortened id is given; undefined for what is no shortened id, and for none. */
export async function wholeId(read: Read, path: string, shown: string): Promise<string | undefined> {
  const [, prefix = '', head = '', tail = ''] = SHOWN.exec(shown) ?? []
  if (prefix === '') return undefined
  const query: QueryPair[] = [
    ['id', `?${prefix}${head}*`],
    ['id', `?*${tail}`],
    ['fields', 'id'],
  ]
  const found: string[] = []
  for await (const page of allOf(read, { method: 'GET', path, query }))
    found.push(...page.values.map(({ id }) => String(id)))
  // Searches disregard case, and know no ends.
  const fitting = found.filter((id) => id.startsWith(prefix + head) && id.endsWith(tail))
  if (fitting.length <= 1) return fitting[0]
  const more = fitting.length > MAX_LISTED ? `, and ${fitting.length - MAX_LISTED} more` : ''
  throw new UsageError(
    `${shown} fits ${fitting.length} ids: ${fitting.slice(0, MAX_LISTED).join(', ')}${more}`,
  )
}

async function wholeBody(read: Read, body: Json): Promise<Json> {
  if (Array.isArray(body)) {
    const items: Json[] = []
    for (const item of body) items.push(await wholeBody(read, item))
    return items
  }
  if (!isObject(body)) return body
  const whole: JsonObject = {}
  for (const [name, value] of Object.entries(body))
    whole[name] =
      typeof value === 'string' ? await wholeAttribute(read, name, value) : await wholeBody(read, value)
  return whole
}

/** The value of an attribute, whole where it is a shortened id of a resource with its prefix. */
async function wholeAttribute(read: Read, name: string, value: string): Promise<string> {
  const [, prefix] = (IDS.test(name.replace(/\]$/, '')) && SHOWN.exec(value)) || []
  const resource = registry.all.find((each) => each.prefix === prefix)
  return (resource && (await wholeId(read, `/${resource.plural}`, value))) ?? value
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
