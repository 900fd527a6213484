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

/** The service core of one environment: the one entrance for HTTP and the command line. */
export interface Core {
  /** Answers a request. Never throws. */
  handle(request: ApiRequest): Promise<ApiResponse>
  /** Completes the saved answers whose outcomes are known now. */
  completeAnswers(): Promise<void>
  /** One unit of work as the system, for what has no request (reconciliation, scheduled jobs). May throw. */
  write<T>(job: (work: Work) => Promise<T>, options?: SystemWrite): Promise<T>
  /** One consistent read as the system, for the same. May throw. */
  read<T>(job: (work: Work) => Promise<T>): Promise<T>
}

/**
 * What the service writes of its own accord: the adapter or job that occasions it, whom the line of activity names, and
 * whether clients come first.
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

/** Who works where there is no request. */
async function systemContext(
  dependencies: CoreDependencies,
  occasion?: Partial<Occasion>,
): Promise<WorkContext> {
  const rules = await dependencies.rules()
  return { dependencies, rules, principal: system, occasion: systemOccasion(occasion) }
}

/** Loaded with the first unit of work: most commands only read. Asking the loader again costs more than a promise. */
function execution(): Promise<typeof import('./write/execute.js')> {
  loading ??= import('./write/execute.js')
  return loading
}
let loading: Promise<typeof import('./write/execute.js')> | undefined

/**
 * The way of every request: path → route → permissions → query → read or write. An admin operation may send requests of
 * its own through here, with a store for their answers. Throws what is refused.
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
 * Judges what an operator would change by their role and limits. Returns what is left to judge in the unit of work. Others
 * pay for a comparison only. Throws `Forbidden`.
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
  const movements = await judgeOperator({ model: dependencies.model, batchKinds, read }, request, isByRows)
  if (movements.length === 0) return undefined
  return (work) => admit(work, principal, movements)
}

/**
 * Counts the masked numbers in filters, in a unit of work of its own. The operator's terminal has the key file, and is
 * not counted. Throws `TooManyRequests`.
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

/** A nested path reads its parent too. */
function authorizeRoute(principal: Principal, method: Method, route: Route): void {
  authorize(principal, method, route.resource)
  const parent = 'parent' in route ? route.parent : undefined
  if (parent) authorize(principal, 'GET', parent.resource)
}

/** What a declaration never allows is refused before anything is read. */
function refuseUndeclared(method: Method, route: Route): void {
  if (method === 'GET' || route.kind === 'action') return
  const field = route.kind === 'item' ? route.parent?.field : undefined
  const kept = method === 'DELETE' && field?.kind === 'one' ? field.undeletable : undefined
  const reason = route.resource.refuses?.[method] ?? kept
  if (reason !== undefined) throw new ApiError('Forbidden', reason)
}

/** Whether a list is read: functions and groups are for lists only. */
function isList({ method }: ApiRequest, route: Route): boolean {
  const isMany = route.kind === 'nested' && route.parent.field.kind === 'many'
  return method === 'GET' && (route.kind === 'collection' || isMany)
}

/**
 * On POST filters are ignored, as clients append them; only `fields` counts. Without it, a principal that is shown some
 * attributes only gets these.
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

/** Renders a refusal; an unexpected error is reported, and its details are hidden from the client. */
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

/** Records a refusal; a failure to do so is reported, and the client is refused all the same. */
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
