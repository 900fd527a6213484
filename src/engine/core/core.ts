import type { Method } from '../../schema/resource.js'
import { StoreError } from '../store/database/errors.js'
import { authorize, authorizeQuery, refuseBeyondCreating } from './query/authorize.js'
import { parseQuery } from './query/parse-query.js'
import type { Query } from './query/query.js'
import { readItem, readList, readNested } from './read/get.js'
import { ApiError, databaseUnavailable, errorBody, methodNotAllowed } from './request/errors.js'
import { operator } from './request/principal.js'
import type { ApiRequest, ApiResponse } from './request/request.js'
import { noSuchPath, parseRoute, placeOf, type Route } from './request/route.js'
import type { CoreDependencies } from './write/core-dependencies.js'
import type { IdempotencyStore } from './write/idempotency.js'
import type { Work } from './write/work.js'

/** The service core of one environment: one entrance for everything that either door can do. Never throws. */
export interface Core {
  handle(request: ApiRequest): Promise<ApiResponse>
  /** Makes the answers that waited for outcomes that are known now; answers how many. */
  completeAnswers(): Promise<number>
  /** One unit of work as the operator, for what no request asks for (reconciliation, scheduled runs). May throw. */
  write<T>(job: (work: Work) => Promise<T>): Promise<T>
  /** One consistent read as the operator, likewise. May throw. */
  read<T>(job: (work: Work) => Promise<T>): Promise<T>
}

/** Makes the service core of one environment. */
export function createCore(dependencies: CoreDependencies): Core {
  return {
    async handle(request) {
      try {
        return await answer(dependencies, request)
      } catch (error) {
        return refusal(dependencies, error)
      }
    },
    async completeAnswers() {
      const { completeAnswers } = await import('./write/complete.js')
      return await completeAnswers(dependencies, await dependencies.rules())
    },
    async write(job) {
      const { runUnitOfWork } = await import('./write/execute.js')
      return await runUnitOfWork(dependencies, await dependencies.rules(), operator, job)
    },
    async read(job) {
      const { unitOfWork } = await import('./write/execute.js')
      const rules = await dependencies.rules()
      return await dependencies.store.read(
        async (tx) => await job(await unitOfWork(dependencies, rules, tx, operator)),
      )
    },
  }
}

async function answer(
  dependencies: CoreDependencies,
  request: ApiRequest,
  idempotency?: IdempotencyStore,
): Promise<ApiResponse> {
  refuseBeyondCreating(request)
  const place = placeOf(request.path)
  if (dependencies.registry.operationsAt(place).length > 0) {
    const { operate } = await import('./admin/operate.js')
    return await operate(dependencies, place, request, (innerRequest, keeping) =>
      answer(dependencies, innerRequest, keeping),
    )
  }
  const route = parseRoute(dependencies.registry, request.path)
  authorize(request.principal, request.method, route.resource)
  if (route.kind !== 'collection' && route.kind !== 'action' && 'parent' in route && route.parent) {
    authorize(request.principal, 'GET', route.parent.resource)
  }
  refuse(request.method, route)
  const query = parseQuery(dependencies.registry, route.resource, queryPairs(request), isList(request, route))
  authorizeQuery(request.principal, dependencies.registry, route.resource, query)
  if (request.method === 'GET') return await read(dependencies, route, query, request)
  const { write } = await import('./write/execute.js')
  return await write(dependencies, route, query, request, idempotency)
}

/** What clients never do with a resource is refused before anything of it is looked at. */
function refuse(method: Method, route: Route): void {
  if (method === 'GET') return
  const field = route.kind === 'item' ? route.parent?.field : undefined
  const kept = method === 'DELETE' && field?.kind === 'one' ? field.undeletable : undefined
  const reason = route.resource.refuses?.[method] ?? kept
  if (reason !== undefined) throw new ApiError('Forbidden', reason)
}

/** Whether the answer is a list that is read: only there functions and groups make sense. */
function isList({ method }: ApiRequest, route: Route): boolean {
  const isMany = route.kind === 'nested' && route.parent.field.kind === 'many'
  return method === 'GET' && (route.kind === 'collection' || isMany)
}

/** On POST filters are ignored, as clients append them; what shapes the answer counts. */
function queryPairs({ method, query = [] }: ApiRequest): ApiRequest['query'] & object {
  return method === 'POST' ? query.filter(([name]) => /^fields?(\[|$)/.test(name)) : query
}

async function read(
  dependencies: CoreDependencies,
  route: Route,
  query: Query,
  request: ApiRequest,
): Promise<ApiResponse> {
  switch (route.kind) {
    case 'collection':
      return await readList(dependencies, route.resource, query, request)
    case 'item':
      return await readItem(dependencies, route, query, request)
    case 'nested':
      return await readNested(dependencies, route.resource, route.parent, query, request)
    case 'action': {
      const rule = (await dependencies.rules())[route.resource.name]
      if (!rule?.actions?.[route.action]) throw noSuchPath(request.path)
      throw methodNotAllowed(request.path, ['POST'])
    }
  }
}

/** Renders what was refused; what should not have happened is reported and shown without its insides. */
function refusal(dependencies: CoreDependencies, error: unknown): ApiResponse {
  if (error instanceof ApiError) return responseOf(error)
  dependencies.report(error)
  const hidden =
    error instanceof StoreError
      ? databaseUnavailable()
      : new ApiError('InternalServerError', 'Something unexpected happened; nothing was changed')
  return responseOf(hidden)
}

function responseOf(error: ApiError): ApiResponse {
  return { status: error.status, body: errorBody(error), headers: error.headers }
}
