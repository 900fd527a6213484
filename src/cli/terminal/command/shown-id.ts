import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { ClientRequest, Json, JsonObject, QueryPair } from '../client/client.js'
import { registry } from '../declarations/declared-registry.js'
import { UsageError } from '../failure/failure.js'
import { isObject } from '../input/body.js'
import { allOf } from '../paging/pages.js'

/**
 * Matches ids as lists shorten them, such as `txn_…5jFK`. Three dots instead of the ellipsis are easier to
 * type.
 */
const SHOWN = /^((?:[a-z]+_)+)([0-9A-Za-z]*)(?:\u2026|\.{3})([0-9A-Za-z]*)$/

/** Names of attributes that hold ids. */
const IDS = /(^|_)id$/

/** Maximum number of ids that a message lists. */
const MAX_LISTED = 20

type Read = (request: ClientRequest) => Promise<ApiResponse>

/**
 * A request in which complete ids replace shortened ones in path, filters and body. Throws a `UsageError`
 * that lists the matching ids if there are several. A shortened id without a match is not changed, so the
 * service does not find it.
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

/**
 * The complete id of the only object at a path that matches a shortened id. Undefined if the text is no
 * shortened id, or if no object matches. Throws a `UsageError` if several match.
 */
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
  // The search ignores case, and finds the text anywhere in the id.
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

/** The value of an attribute; a shortened id with the prefix of a resource is completed. */
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
