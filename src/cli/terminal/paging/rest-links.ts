import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { MAX_LINKS } from '../../../schema/resource.js'
import type { ClientRequest, QueryPair } from '../client/client.js'
import { isObject } from '../input/body.js'
import { valuesOf } from '../output/render.js'

/** A page of the rest of a list; `missing` names attributes whose nested lists are not complete. */
interface RestPage {
  readonly values: readonly JsonObject[]
  readonly missing: readonly string[]
}

/** The link to the rest of a nested list. See docs/interface.md, "Attributes in lists and in JSON". */
interface RestLink {
  readonly path: string
  readonly query: readonly QueryPair[]
  /** Path of the list in each object of the answer: `['customer', 'payment_methods']`. */
  readonly anchor: readonly string[]
  /** Id of the object that contains the list; `last` is the id of the last object in the cut list. */
  readonly holder: string
  readonly last: string | undefined
}

/**
 * Links of an answer to the rest of its nested lists. If there are `MAX_LINKS`, links to further cut lists
 * may be missing.
 */
export function restLinksOf({ headers }: ApiResponse): readonly RestLink[] {
  if (headers['X-Truncated'] === undefined) return []
  const links = (headers.Link ?? '').matchAll(/<([^?>]*)\?([^>]*)>; rel="next"; anchor="([^"]*)"/g)
  return [...links].map(([, path = '', search = '', anchor = '']) => {
    const query: QueryPair[] = [...new URLSearchParams(search)]
    return {
      path,
      query,
      anchor: anchor.replaceAll(']', '').split('['),
      holder: decodeURIComponent(path.split('/').at(-2) ?? ''),
      last: query.find(([name]) => name === 'after')?.[1],
    }
  })
}

/**
 * Completes the nested lists of an answer by following its links. `missing` names the attributes of lists
 * that stay cut, because a link or the object that contains the list is missing.
 */
export async function withRest(
  pages: (request: ClientRequest) => AsyncIterable<RestPage>,
  response: ApiResponse,
): Promise<{ readonly body: JsonObject; readonly missing: readonly string[] }> {
  const { body, headers } = response
  const links = restLinksOf(response)
  const missing = new Set(links.length < MAX_LINKS ? [] : headers['X-Truncated']?.split(', '))
  const found = links.map((link) => ({ link, list: listAt(valuesOf(body) ?? [body], link) }))
  for (const { link, list } of found) {
    if (!list) {
      missing.add(written(link.anchor))
      continue
    }
    for await (const page of pages({ method: 'GET', path: link.path, query: link.query })) {
      list.push(...page.values)
      for (const name of page.missing) missing.add(`${written(link.anchor)}, ${name}`)
    }
  }
  return { body, missing: [...missing] }
}

/** Bracket form of a path: `customer[payment_methods]` */
function written([head = '', ...rest]: readonly string[]): string {
  return head + rest.map((part) => `[${part}]`).join('')
}

/** The list that a link continues, found by the ids in the answer, or because it is the only one. */
function listAt(objects: readonly Json[], { anchor, holder, last }: RestLink): Json[] | undefined {
  const lists = holdersOf(objects, anchor.slice(0, -1)).flatMap(({ id, ...rest }) => {
    const list = rest[anchor.at(-1) ?? '']
    return Array.isArray(list) ? [{ id, list }] : []
  })
  const mine = lists.find(({ id, list }) => id === holder || idOf(list.at(-1)) === last)
  return (mine ?? (lists.length === 1 ? lists[0] : undefined))?.list
}

function holdersOf(objects: readonly Json[], [name, ...rest]: readonly string[]): readonly JsonObject[] {
  const here = objects.filter(isObject)
  if (name === undefined) return here
  return holdersOf(
    here.flatMap(({ [name]: inner }) => inner ?? []),
    rest,
  )
}

function idOf(value: Json | undefined): Json | undefined {
  return isObject(value) ? value.id : undefined
}
