import type { AdminOperation } from '../../schema/admin-operation.js'
import type { Method } from '../../schema/resource.js'
import type { WriteOptions } from '../store/database/store.js'
import { StoreError } from '../store/database/store-error.js'
import { type Occasion, systemOccasion } from './activity/occasion.js'
import type { MoneySources } from './moves/effect.js'
import { authorize, authorizeOperation, authorizeQuery, refuseBeyondCreating } from './query/authorize.js'
import { parseQuery } from './query/parse-query.js'
import { comparedNumbers, type Query } from './query/query.js'
import { readsList } from './read/list-reader.js'
import { readItem, readList, readNested } from './read/read-item.js'
import { Statements } from './read/statements.js'
import { ApiError, databaseUnavailable, errorBody, methodNotAllowed } from './request/api-error.js'
import { isBoundByRole, isUnbound, type Principal, system } from './request/principal.js'
import type { ApiRequest, ApiResponse } from './request/request.js'
import { noSuchPath, parsePath, type Route, resolveRoute } from './request/route.js'
import type { CoreDependencies } from './write/core-dependencies.js'
import type { Admission, WorkContext } from './write/execute.js'
import type { IdempotencyStore } from './write/idempotency.js'
import { RecordedRefusal } from './write/recorded-refusal.js'
import type { Work } from './write/work.js'

/** Core of the service for one environment: the single entrance for all adapters. */
export interface Core {
  /** Answers a request. Never throws. */
  handle(request: ApiRequest): Promise<ApiResponse>
  /** Completes the stored answers whose outcomes are now known. */
  completeAnswers(): Promise<void>
  /**
   * Runs one unit of work as the system, for work without a request (reconciliation, scheduled jobs). May
   * throw.
   */
  write<T>(job: (work: Work) => Promise<T>, options?: SystemWrite): Promise<T>
  /** Runs one consistent read as the system, for work without a request. May throw. */
  read<T>(job: (work: Work) => Promise<T>): Promise<T>
}

/**
 * Options for writes of the service itself: the job, adapter and principal for its line of activity, and
 * whether requests of clients take precedence.
 */
export type SystemWrite = Pick<WriteOptions, 'background'> &
  Partial<Pick<Occasion, 'job' | 'through' | 'principal'>>

export function createCore(given: Omit<CoreDependencies, 'statements'>): Core {
  const dependencies = { ...given, statements: new Statements(given.store.dialect) }
  return {
    async handle(request) {
      try {
        return await answer(dependencies, request)
      } catch (error) {
        return await refusal(dependencies, error, request)
      }
    },
    async completeAnswers() {
      const { completeAnswers } = await import('./write/complete.js')
      await completeAnswers(dependencies, await dependencies.rules())
    },
    async write(job, { background = false, ...occasion } = {}) {
      const { runUnitOfWork } = await execution()
      const context = await systemContext(dependencies, occasion)
      return await runUnitOfWork(context, job, { patient: true, background })
    },
    async read(job) {
      const { runRead } = await execution()
      return await runRead(await systemContext(dependencies), job)
    },
  }
}

/** Context of work without a request. */
async function systemContext(
  dependencies: CoreDependencies,
  occasion?: Partial<Occasion>,
): Promise<WorkContext> {
  const rules = await dependencies.rules()
  return { dependencies, rules, principal: system, occasion: systemOccasion(occasion) }
}

/**
 * Loads the code for units of work when it is first needed, because most commands only read. The promise is
 * kept, because another `import` costs more.
 */
function execution(): Promise<typeof import('./write/execute.js')> {
  loading ??= import('./write/execute.js')
  return loading
}
let loading: Promise<typeof import('./write/execute.js')> | undefined

/**
 * Path of every request: path → route → permissions → query → read or write. An admin operation may send
 * its own requests through here, with a store for their answers. Throws refusals.
 */
async function answer(
  dependencies: CoreDependencies,
  request: ApiRequest,
  idempotency?: IdempotencyStore,
): Promise<ApiResponse> {
  const { model } = dependencies
  const { principal, method } = request
  const path = parsePath(request.path)
  refuseBeyondCreating(request, path)
  const operations = model.operationsAt(path.joined)
  if (operations.length > 0) {
    const { operate } = await import('./admin/operate.js')
    const isScoped = operations.some((each) => each.method === method && each.isScoped === true)
    authorizeOperation(principal, method, path.joined, isScoped)
    const admit = await judge(dependencies, request, operations)
    return await operate(dependencies, { request, path, operations, admit }, (inner, store) =>
      answer(dependencies, inner, store),
    )
  }
  const route = resolveRoute(model, path)
  authorizeRoute(principal, method, route)
  refuseUndeclared(method, route)
  const admit = await judge(dependencies, request)
  const shown = route.kind === 'action' ? route.answers : route.resource
  const query = parseQuery(shown, queryPairs(request), isList(request, route))
  authorizeQuery(principal, shown, query)
  await countNumbers(dependencies, request, comparedNumbers(shown, query))
  if (method === 'GET') return await readRoute(dependencies, route, query, request)
  const { executeWrite } = await execution()
  return await executeWrite(dependencies, { request, path, route, query }, { own: idempotency, admit })
}

/**
 * Judges the changes of an operator by their role and limits. Returns the check that remains for the unit of
 * work. For other principals, this function makes only one comparison. Throws `Forbidden`.
 */
async function judge(
  dependencies: CoreDependencies,
  request: ApiRequest,
  operations: readonly AdminOperation[] = [],
): Promise<Admission | undefined> {
  const { principal, method } = request
  if (method === 'GET' || !isBoundByRole(principal)) return undefined
  const { judgeOperator } = await import('./moves/judge-operator.js')
  const { batchKinds, admit } = await dependencies.operatorJudging()
  const read: MoneySources['read'] = async (path, query) => {
    try {
      return (await answer(dependencies, { method: 'GET', path, query, principal })).body
    } catch (error) {
      if (error instanceof ApiError) return undefined
      throw error
    }
  }
  const isByRows = operations.some(({ moves, method: its }) => its === method && moves === 'rows')
  const counted = await judgeOperator({ model: dependencies.model, batchKinds, read }, request, isByRows)
  if (counted.length === 0) return undefined
  return (work) => admit(work, principal, counted)
}

/**
 * Counts comparisons with masked numbers in filters, in a separate unit of work. The service and the owner
 * at the terminal are not counted, because they can read the key file anyway. Throws `TooManyRequests`.
 */
async function countNumbers(
  dependencies: CoreDependencies,
  { principal, numbersCounted }: ApiRequest,
  numbers: readonly string[],
): Promise<void> {
  if (numbers.length === 0 || numbersCounted || isUnbound(principal)) return
  const [count, context, { runUnitOfWork }] = await Promise.all([
    dependencies.countNumbers(),
    systemContext(dependencies),
    execution(),
  ])
  const refused = await runUnitOfWork(context, (work) => count(work, principal, numbers))
  if (refused) throw refused
}

/** Checks the permissions for a route. A nested path reads its parent too. */
function authorizeRoute(principal: Principal, method: Method, route: Route): void {
  authorize(principal, method, route.resource)
  const parent = 'parent' in route ? route.parent : undefined
  if (parent) authorize(principal, 'GET', parent.resource)
}

/** Refuses a method that a declaration never allows, before any data is read. Throws `Forbidden`. */
function refuseUndeclared(method: Method, route: Route): void {
  if (method === 'GET' || route.kind === 'action') return
  const field = route.kind === 'item' ? route.parent?.field : undefined
  const kept = method === 'DELETE' && field?.kind === 'one' ? field.undeletable : undefined
  const reason = route.resource.refuses?.[method] ?? kept
  if (reason !== undefined) throw new ApiError('Forbidden', reason)
}

/** Whether a list is read; only then are functions and groups allowed. */
function isList({ method }: ApiRequest, route: Route): boolean {
  const isMany = route.kind === 'nested' && route.parent.field.kind === 'many'
  return method === 'GET' && (route.kind === 'collection' || isMany)
}

/**
 * Query of a request. On POST only `fields` counts; filters are ignored, because clients append them.
 * Without `fields`, a principal with restricted attributes gets only these.
 */
function queryPairs({ method, principal, query = [] }: ApiRequest): ApiRequest['query'] & object {
  if (method !== 'POST') return query
  const fields = query.filter(([name]) => /^fields?(\[|$)/.test(name))
  return fields.length === 0 && principal.shown ? [['fields', principal.shown.join(',')]] : fields
}

async function readRoute(
  dependencies: CoreDependencies,
  route: Route,
  query: Query,
  request: ApiRequest,
): Promise<ApiResponse> {
  const { listReader, environment } = dependencies
  if (listReader && readsList(route, query))
    return await listReader.read(environment, { ...request, numbersCounted: true })
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

/** Renders a refusal. An unexpected error is reported, and its details are hidden from the client. */
async function refusal(
  dependencies: CoreDependencies,
  error: unknown,
  request: ApiRequest,
): Promise<ApiResponse> {
  if (error instanceof RecordedRefusal) await recordRefusal(dependencies, error, request)
  if (error instanceof ApiError) return responseOf(error)
  const isAbandoned = error instanceof StoreError && error.problem === 'abandoned'
  if (!isAbandoned) dependencies.report(error, request)
  const hidden =
    error instanceof StoreError
      ? databaseUnavailable(error.problem)
      : new ApiError('InternalServerError', 'Something unexpected happened; nothing was changed')
  return responseOf(hidden)
}

/** Records a refusal. If that fails, the failure is reported, and the client still gets the refusal. */
async function recordRefusal(
  dependencies: CoreDependencies,
  { record }: RecordedRefusal,
  request: ApiRequest,
): Promise<void> {
  try {
    const { runUnitOfWork } = await execution()
    const { through = 'terminal', requestId } = request
    await runUnitOfWork(await systemContext(dependencies, { through, requestId }), record)
  } catch (error) {
    dependencies.report(error, request)
  }
}

function responseOf(error: ApiError): ApiResponse {
  return { status: error.status, body: errorBody(error), headers: error.headers }
}
