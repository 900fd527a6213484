import type { QueryPair } from '../../../engine/core/request/request.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { objectsIn } from '../../../schema/answer-values.js'
import type { ConsoleRequest } from '../console-page.js'
import { objectPath } from '../elements/object-path.js'

export interface FoundObject {
  readonly resource: ResourceModel
  readonly id: string
  /** Segments of its page. */
  readonly path: readonly string[]
}

/** An id, or a shortened id as lists show it: `txn_…5jFK`. Three dots may be typed for the ellipsis. */
const ID = /^([a-z]+_)([0-9A-Za-z]*)(?:(?:…|\.{3})([0-9A-Za-z]+))?$/

/** The object with an id; undefined if there is no such object, or if a shortened id fits several objects. */
export async function findObject(request: ConsoleRequest, text: string): Promise<FoundObject | undefined> {
  const [, prefix = '', head = '', tail] = ID.exec(text) ?? []
  if (prefix === '') return undefined
  const query: QueryPair[] =
    tail === undefined
      ? [['id', text]]
      : [
          ['id', `?${prefix}${head}*`],
          ['id', `?*${tail}`],
        ]
  // Accounts belong to two resources: all accounts, and those of their kind. The page of the kind shows more, so it is
  // tried first.
  const resources = request.visitor.app.model.all
    .filter((resource) => resource.prefix === prefix)
    .toSorted((a, b) => Number(b.view !== undefined) - Number(a.view !== undefined))
  for (const resource of resources) {
    const answer = await request.ask('GET', `/${resource.plural}`, { query: [...query, ['fields', 'id']] })
    const ids = objectsIn(answer.body).map(({ id }) => String(id))
    // The filters ignore case, and the second one matches anywhere in an id. So the end is compared here.
    const [id, ...others] = tail === undefined ? ids : ids.filter((one) => one.endsWith(tail))
    if (id !== undefined && others.length === 0) return { resource, id, path: objectPath(resource, id) }
  }
  return undefined
}

/** Whether the date filters of a list exclude an object. The search began on that list. */
export async function isBeyond(
  request: ConsoleRequest,
  { resource, id }: FoundObject,
  periods: readonly string[],
): Promise<boolean> {
  const filters = periods.map((value): QueryPair => ['created_at', value])
  const answer = await request.ask('GET', `/${resource.plural}`, {
    query: [['id', id], ['fields', 'id'], ...filters],
  })
  return answer.status === 200 && objectsIn(answer.body).length === 0
}
