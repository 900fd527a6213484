import { type Input, isTree } from '../../../schema/types.js'
import { readAgain, type Tx, type WriteOptions } from '../../store/database/store.js'
import type { Subject } from '../activity/activity-log.js'
import type { Deed } from '../activity/money-moved.js'
import { type Occasion, occasionOf, systemOccasion } from '../activity/occasion.js'
import type { ParsedRequest } from '../query/query.js'
import { ApiError, methodNotAllowed } from '../request/api-error.js'
import type { Principal } from '../request/principal.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import type { Route } from '../request/route.js'
import { act } from './act.js'
import { expectAsSeen, withVersion } from './as-seen.js'
import type { CoreDependencies } from './core-dependencies.js'
import { type AnswerStores, answerStores, type IdempotencyStore, INVALID } from './idempotency.js'
import { UnitOfWork } from './unit-of-work.js'
import type { AfterCommitStep, AnyRules, Work } from './work.js'
import {
  create,
  type Operation,
  type PreparedWrite,
  removeItem,
  removeMany,
  updateItem,
  updateMany,
  type Written,
} from './write.js'
import { answerOf, isAnyOpen } from './written-object.js'

/** Principal, rules and occasion of the units of work that are run. */
export interface WorkContext {
  readonly dependencies: CoreDependencies
  readonly rules: AnyRules
  readonly principal: Principal
  readonly occasion: Occasion
  /** Whether all changes are rolled back. */
  readonly isDryRun?: boolean
}

/**
 * Executes POST, PUT or DELETE: one unit of work, then the steps that it left for after the commit. The
 * answer is stored under the request's idempotency key, unless `own` gives another store.
 */
export async function executeWrite(
  dependencies: CoreDependencies,
  parsed: ParsedRequest,
  { own, admit }: { readonly own: IdempotencyStore | undefined; readonly admit: Admission | undefined },
): Promise<ApiResponse> {
  const rules = await dependencies.rules()
  const { request, path, route } = parsed
  const rule = rules[route.resource.name]
  const about = aboutRoute(route, request)
  const together =
    request.method === 'POST' &&
    !admit &&
    !request.principal.processingIds &&
    (rule?.inserts?.(request.body) ?? false)
  const context = {
    dependencies,
    rules,
    principal: request.principal,
    occasion: occasionOf(request, about.action),
    isDryRun: request.dryRun === true,
  }
  const prepare = () => prepareWrite(context, parsed)
  const preparing = { prepare, about, admit, together, isSentAgain: own !== undefined }
  const storeFor = own ? () => own : answerStores(request, path, dependencies)
  return await executeOnce(context, request, preparing, storeFor)
}

/** Part of a request that its line of activity describes. */
interface About extends Pick<Subject, 'resource' | 'id'> {
  /**
   * Money moved by an action. Undefined for a generic operation, because the unit of work notes its deeds
   * itself.
   */
  readonly deed?: Omit<Deed, 'input'>
}

/** Action of a request, such as `create transaction`, with its object and the money that it moves. */
function aboutRoute(route: Route, { method }: ApiRequest): About & { readonly action: string } {
  const { resource } = route
  if (route.kind === 'action') {
    const { id, action } = route
    const { moves = 'nothing', amountIn = 'amount' } = resource.actions?.[action] ?? {}
    return { resource, id, deed: { moves, amountIn, isStored: false }, action: `${action} ${resource.name}` }
  }
  const id = route.kind === 'item' ? route.id : undefined
  return { resource, id, action: `${OPERATING[method]} ${resource.name}` }
}

const OPERATING = { GET: 'update', POST: 'create', PUT: 'update', DELETE: 'delete' } as const

/** Check inside the unit of work. Throws the reason why a request is not admitted. */
export type Admission = (work: Work) => Promise<void>

/** Operation to validate and execute. */
interface Preparing {
  prepare(): Promise<PreparedWrite>
  readonly about: About
  readonly admit?: Admission | undefined
  /** Whether the operation may share a transaction with other operations of its kind. */
  readonly together?: boolean
  /**
   * Whether the caller sends the request again after an unexpected error, and so gets the committed answer.
   */
  readonly isSentAgain?: boolean
}

/** Runs an operation in one unit of work, unless its answer is already stored. */
export async function executeOnce(
  context: WorkContext,
  request: ApiRequest,
  { prepare, about, admit, together = false, isSentAgain = false }: Preparing,
  storeFor: AnswerStores,
): Promise<ApiResponse> {
  const { store } = context.dependencies
  const prepared = await preparedOrStored(context, prepare, storeFor)
  if (!('operation' in prepared)) return prepared
  const { says, operation } = prepared
  const idempotency = storeFor(says)
  const deed = about.deed && { ...about.deed, input: isTree(says) ? says : {} }
  const subjectOf = (written: Written): Subject => ({ ...about, deed, written: idsOf(written) })
  const performing = { request, operation, admit, subjectOf, idempotency }
  const done = await store.write((tx) => perform(context, tx, performing), {
    discard: request.dryRun === true,
    together,
  })
  if (done.afterCommitSteps.length === 0 || request.dryRun) return done.response
  const refusals: ApiError[] = []
  try {
    return await answerAfterSteps(context, done, idempotency, refusals)
  } catch (error) {
    const [refusal] = refusals
    if (error === refusal || isSentAgain || !(refusal || isOpen(context.rules, done))) throw error
    // The changes are committed, and a gateway may have received a request: the client gets the committed
    // state.
    context.dependencies.report(new Error('What follows the commit has failed', { cause: error }))
    if (refusal) throw refusal
    return done.response
  }
}

/**
 * Prepares a write. For an invalid request, returns the stored answer if there is one. Otherwise throws the
 * validation error, or `IdempotencyMismatch` if the key was used for a valid request.
 */
async function preparedOrStored(
  context: WorkContext,
  prepare: Preparing['prepare'],
  storeFor: AnswerStores,
): Promise<PreparedWrite | ApiResponse> {
  try {
    return await prepare()
  } catch (error) {
    const idempotency = storeFor(INVALID)
    const stored = idempotency && (await runRead(context, (work) => idempotency.find(work)))
    if (stored) return stored
    throw error
  }
}

/**
 * Performs the steps after the commit and answers with their results. Adds the refusals of steps to
 * `refusals`, and throws the first refusal, unless the answer is a list. A list's answer is stored even so,
 * because other objects of the list may have been accepted.
 */
async function answerAfterSteps(
  context: WorkContext,
  { written, afterCommitSteps }: Execution,
  idempotency: IdempotencyStore | undefined,
  refusals: ApiError[],
): Promise<ApiResponse> {
  const isList = written?.list ?? false
  const onRefusal: OnRefusal = async (work) => {
    if (!isList) await idempotency?.forget(work)
  }
  for (const step of afterCommitSteps) refusals.push(...(await record(context, step, { onRefusal })))
  const [refusal] = refusals
  if (refusal && !isList) throw refusal
  return await context.dependencies.store.write(async (tx) => {
    const work = await unitOfWork(context, tx)
    return await answerOf(work, await reread(work, written), idempotency)
  })
}

/**
 * Runs in the unit of work that records a refusal. In a later one, another process could complete the answer
 * as if the request had been accepted.
 */
type OnRefusal = (work: Work) => Promise<void>

interface StepOptions extends WriteOptions {
  readonly onRefusal?: OnRefusal
}

/**
 * Whether the committed rows have an open outcome. Reconciliation finds it later, even if this request
 * fails.
 */
function isOpen(rules: AnyRules, { written }: Execution): boolean {
  return written?.kind === 'rows' && isAnyOpen(rules[written.resource.name], written.rows)
}

async function prepareWrite(
  context: WorkContext,
  { request, route, query }: ParsedRequest,
): Promise<PreparedWrite> {
  const { rules } = context
  const rule = rules[route.resource.name]
  const { principal } = request
  const prepare =
    rule?.prepare &&
    ((input: Input) => rule.prepare?.(input, { principal, read: (job) => runRead(context, job) }) ?? input)
  const writing = { resource: route.resource, query, request, prepare }
  switch (route.kind) {
    case 'action':
      return act(rules, route, writing)
    case 'nested': {
      const { field, id, resource: parent } = route.parent
      if (field.kind !== 'many') throw methodNotAllowed(request.path, ['GET'])
      if (request.method !== 'POST') throw methodNotAllowed(request.path, ['GET', 'POST'])
      const { says, operation } = await create(
        { ...writing, parentAs: field.by, defaults: field.preset },
        { [field.by]: id },
      )
      return {
        says,
        async operation(work) {
          if (!(await work.findRow(parent, id)))
            throw new ApiError('NotFound', `There is no ${parent.name} ${id}`)
          return await operation(work)
        },
      }
    }
    case 'collection':
      if (request.method === 'POST') return await create(writing)
      return request.method === 'PUT' ? await updateMany(writing) : await removeMany(writing)
    case 'item':
      if (request.method === 'POST') throw methodNotAllowed(request.path, ['GET', 'PUT', 'DELETE'])
      return request.method === 'PUT'
        ? await updateItem(writing, route.id, route.parent)
        : removeItem(writing, route.id, route.parent)
  }
}

interface Execution {
  readonly response: ApiResponse
  readonly written: Written | undefined
  readonly afterCommitSteps: readonly AfterCommitStep[]
}

function idsOf(written: Written): readonly string[] {
  return written.kind === 'shown' ? written.ids : written.rows.map(({ id }) => String(id))
}

/** Operation, with the subject of its activity and the store for its answer. */
interface Performing {
  readonly request: ApiRequest
  readonly operation: Operation
  readonly admit: Admission | undefined
  subjectOf(written: Written): Subject
  readonly idempotency: IdempotencyStore | undefined
}

async function perform(
  context: WorkContext,
  tx: Tx,
  { request, operation, admit, subjectOf, idempotency }: Performing,
): Promise<Execution> {
  const work = await unitOfWork(context, tx)
  const replayed = await idempotency?.find(work)
  if (replayed) return { response: replayed, written: undefined, afterCommitSteps: [] }
  await admit?.(work)
  const version = request.seen && (await expectAsSeen(work, request.seen))
  const written = await operation(work)
  await work.finish(subjectOf(written))
  const response = await answerOf(work, written, idempotency)
  return {
    response: version === undefined ? response : withVersion(response, version),
    written,
    afterCommitSteps: work.afterCommitSteps,
  }
}

/**
 * Performs a step and records its outcome as the system, then performs the steps that follow from it in the
 * same way. Returns the reasons to refuse the request.
 */
async function record(
  context: WorkContext,
  step: AfterCommitStep,
  options: StepOptions,
): Promise<ApiError[]> {
  const outcome = await step.perform()
  const { through, requestId } = context.occasion
  const { done, refusals } = await runWithSteps(
    { ...context, occasion: systemOccasion({ through, requestId }) },
    (work) =>
      work.asSystem(async () => {
        const refusal = await outcome(work)
        if (refusal) await options.onRefusal?.(work)
        return refusal
      }),
    options,
  )
  return done ? [done, ...refusals] : refusals
}

/** Runs `job` in one consistent read as a principal. Locks no rows. */
export async function runRead<T>(context: WorkContext, job: (work: Work) => Promise<T>): Promise<T> {
  const { store } = context.dependencies
  return await readAgain(() => store.read(async (tx) => await job(await unitOfWork(context, tx, true))))
}

/** Runs `job` in one unit of work as a principal without a request, then its after-commit steps. */
export async function runUnitOfWork<T>(
  context: WorkContext,
  job: (work: Work) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  return (await runWithSteps(context, job, options)).done
}

async function runWithSteps<T>(
  context: WorkContext,
  job: (work: Work) => Promise<T>,
  options: StepOptions,
): Promise<{ readonly done: T; readonly refusals: ApiError[] }> {
  const { done, afterCommitSteps } = await context.dependencies.store.write(async (tx) => {
    const work = await unitOfWork(context, tx)
    const done = await job(work)
    await work.finish()
    return { done, afterCommitSteps: work.afterCommitSteps }
  }, options)
  const refusals: ApiError[] = []
  if (!options.discard)
    for (const step of afterCommitSteps) refusals.push(...(await record(context, step, options)))
  return { done, refusals }
}

/** Reads the written rows again, after the steps that follow the commit. */
async function reread(work: UnitOfWork, written: Written | undefined): Promise<Written> {
  if (written?.kind !== 'rows') return written ?? { kind: 'shown', ids: [], texts: [], list: false }
  const rows = []
  for (const row of written.rows) rows.push(await work.latestRow(written.resource, String(row.id)))
  return { ...written, rows }
}

/** Unit of work as rules see it; with `isRead` a consistent read, which locks no rows. */
export async function unitOfWork(
  { dependencies, rules, principal, occasion, isDryRun = false }: WorkContext,
  tx: Tx,
  isRead = false,
): Promise<UnitOfWork> {
  const milliseconds = await dependencies.businessClock.at(tx)
  const realMilliseconds = dependencies.clock.now()
  const options = { occasion, milliseconds, realMilliseconds, isRead, isDryRun }
  return new UnitOfWork({ ...dependencies, rules }, tx, principal, options)
}
