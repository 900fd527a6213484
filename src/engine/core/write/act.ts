import { authorize } from '../query/authorize.js'
import { notFound } from '../read/read-page.js'
import { ApiError, methodNotAllowed } from '../request/api-error.js'
import { noSuchPath, type Route } from '../request/route.js'
import { validatedPlain } from './input.js'
import type { AnyRules } from './work.js'
import type { PreparedWrite, WriteRequest } from './write.js'

/**
 * POST `/<resource>/{id}/<action>`: runs an action that a resource declares beyond the generic operations.
 */
export function act(
  rules: AnyRules,
  route: Route & { kind: 'action' },
  { request, query }: WriteRequest,
): PreparedWrite {
  const { resource, id } = route
  const declared = resource.actions?.[route.action]
  const action = rules[resource.name]?.actions?.[route.action]
  if (!declared || !action) throw noSuchPath(request.path)
  if (request.method !== 'POST') throw methodNotAllowed(request.path, ['POST'])
  if (declared.manage && !request.principal.manage)
    throw new ApiError('Forbidden', `${request.path} needs the permission manage`)
  if (declared.changes) authorize(request.principal, 'PUT', resource)
  const input = validatedPlain(declared.input, request.body ?? {})
  const { answers } = route
  return {
    says: input,
    async operation(work) {
      const row = await work.lockRow(resource, id)
      if (!row) throw notFound(resource, id)
      await work.expectAsSealed(resource, row)
      const rows = [await action.perform(work, row, input)]
      return {
        kind: 'rows',
        resource: answers,
        rows,
        list: false,
        shape: query.shape,
        fields: query.fields,
        isOutcome: true,
      }
    },
  }
}
