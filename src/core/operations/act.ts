import { methodNotAllowed } from '../errors.js'
import { noSuchPath, type Route } from '../route.js'
import type { AnyRules } from '../work.js'
import { notFound } from './read.js'
import type { Operation, Writing } from './write.js'

/** POST `/<resource>/{id}/<action>`: what a resource can do beyond the generic operations. */
export function act(
  rules: AnyRules,
  route: Route & { kind: 'action' },
  { request, query }: Writing,
): Operation {
  const { resource, id } = route
  const action = rules[resource.name]?.actions?.[route.action]
  if (!action) throw noSuchPath(request.path)
  if (request.method !== 'POST') throw methodNotAllowed(request.path, ['POST'])
  const { body } = request
  const input = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  return async (work) => {
    const row = await work.lockRow(resource, id)
    if (!row) throw notFound(resource, id)
    const rows = [await action.perform(work, row, input)]
    return {
      kind: 'rows',
      resource,
      rows,
      list: false,
      selection: query.selection,
      fields: query.fields,
      isOutcome: true,
    }
  }
}
