import type { Tx, WriteOptions } from '../../store/database/store.js'
import type { ParsedRequest } from '../query/query.js'
import { ApiError, methodNotAllowed } from '../request/api-error.js'
import type { Principal } from '../request/principal.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import { act } from './act.js'
import type { CoreDependencies } from './core-dependencies.js'
import { type IdempotencyStore, idempotencyStoreFor } from './idempotency.js'
import { UnitOfWork } from './unit-of-work.js'
import type { AfterCommitStep, AnyRules, Work } from './work.js'
import {
  create,
  type Operation,
  removeItem,
  removeMany,
  updateItem,
  updateMany,
  type Written,
} from './write.js'
import { answerOf, isAnyOpen, renderWritten } from './written-object.js'

/** Whose units of work are run, and by which rules. */
export interface WorkContext {
  readonly dependencies: CoreDependencies
  readonly rules: AnyRules
  readonly principal: Principal
  /** Whether all of it is rolled back. */
  readonly isDryRun?: boolean
}

/**
 * POST, PUT and DELETE: one unit of work, and after its commit the steps that it left for then. The answer is kept under
 * the request's idempotency key unless another store is given.
 */
export async function executeWrite(
  dependencies: CoreDependencies,
  parsed: ParsedRequest,
  own?: IdempotencyStore,
): Promise<ApiResponse> {
  const idempotency = own ?? idempotencyStoreFor(parsed.request, parsed.path, dependencies)
  const rules = await dependencies.rules()
  const prepare = () => operationOf(rules, parsed)
  const rule = rules[parsed.route.resource.name]
  const isSlow = rule?.prepare !== undefined
  const { request } = parsed
  const together =
    request.method === 'POST' && !request.principal.processingIds && (rule?.inserts?.(request.body) ?? false)
  const context = { dependencies, rules, principal: request.principal, isDryRun: request.dryRun === true }
  const preparing = { prepare, isSlow, together, isSentAgain: own !== undefined }
  return await executeOnce(context, request, preparing, idempotency)
}

/** An operation that is to be validated and done. */
interface Preparing {
  prepare(): Promise<Operation>
  /** Preparing it must not keep a unit of work open. */
  readonly isSlow?: boolean
  /** Many like it may share a transaction. */
  readonly together?: boolean
  /** After an unexpected error it is sent again, and answered by what was committed. */
  readonly isSentAgain?: boolean
}

/** Runs an operation in one unit of work, unless its answer is stored already. */
export async function executeOnce(
  context: WorkContext,
  request: ApiRequest,
  { prepare, isSlow = false, together = false, isSentAgain = false }: Preparing,
  idempotency: IdempotencyStore | undefined,
): Promise<ApiResponse> {
  const { store } = context.dependencies
  // Idempotency comes before validation; without a key, what is invalid need not wait for the database.
  const known = isSlow && idempotency ? await runRead(context, (work) => idempotency.find(work)) : undefined
  if (known) return known
  const operation = idempotency && !isSlow ? undefined : await prepare()
  const done = await store.write(
    (tx) => perform(context, tx, { prepare: operation ? () => operation : prepare, idempotency }),
    { discard: request.dryRun === true, together },
  )
  if (done.afterCommitSteps.length === 0 || request.dryRun) return done.response
  const refusals: ApiError[] = []
  try {
    return await answerAfterSteps(context, done, idempotency, refusals)
  } catch (error) {
    const [refusal] = refusals
    if (error === refusal || isSentAgain || !(refusal || isOpen(context.rules, done))) throw error
    // What is committed stands, and a gateway may have been asked: the client learns of it as it was committed.
    context.dependencies.report(new Error('What follows the commit has failed', { cause: error }))
    if (refusal) throw refusal
    return done.response
  }
}

/** Performs what follows the commit; answers with what came of it. Throws the first of `refusals`, which it adds to. */
async function answerAfterSteps(
  context: WorkContext,
  { written, afterCommitSteps }: Execution,
  idempotency: IdempotencyStore | undefined,
  refusals: ApiError[],
): Promise<ApiResponse> {
  for (const step of afterCommitSteps) refusals.push(...(await record(context, step, {})))
  const [refusal] = refusals
  const response = await context.dependencies.store.write(async (tx) => {
    const work = await unitOfWork(context, tx)
    const latest = await reread(work, written)
    if (!refusal) return await answerOf(work, latest, idempotency)
    await idempotency?.forget(work)
    return latest.list ? (await renderWritten(work, latest)).response : undefined
  })
  if (response) return response
  throw refusal
}

/** Whether the outcome of what was committed was open then: it is found later, whatever becomes of this request. */
function isOpen(rules: AnyRules, { written }: Execution): boolean {
  return written?.kind === 'rows' && isAnyOpen(rules[written.resource.name], written.rows)
}

async function operationOf(rules: AnyRules, { request, route, query }: ParsedRequest): Promise<Operation> {
  const prepare = rules[route.resource.name]?.prepare
  const writing = { resource: route.resource, query, request, prepare }
  switch (route.kind) {
    case 'action':
      return act(rules, route, writing)
    case 'nested': {
      const { field, id, resource: parent } = route.parent
      if (field.kind !== 'many') throw methodNotAllowed(request.path, ['GET'])
      if (request.method !== 'POST') throw methodNotAllowed(request.path, ['GET', 'POST'])
      const operation = await create(
        { ...writing, parentAs: field.by, defaults: field.preset },
        { [field.by]: id },
      )
      return async (work) => {
        if (!(await work.findRow(parent, id)))
          throw new ApiError('NotFound', `There is no ${parent.name} ${id}`)
        return await operation(work)
      }
    }
    case 'collection':
      if (request.method === 'POST') return await create(writing)
      return request.method === 'PUT' ? await updateMany(writing) : await removeMany(writing)
    case 'item':
      if (request.method === 'POST') throw methodNotAllowed(request.path, ['GET', 'PUT', 'DELETE'])
      return request.method === 'PUT'
        ? await updateItem(writing, route.id, route.parent)
        : await removeItem(writing, route.id, route.parent)
  }
}

interface Performing {
  /** The operation, prepared before the unit of work or in it. */
  prepare(): Operation | Promise<Operation>
  readonly idempotency: IdempotencyStore | undefined
}

interface Execution {
  readonly response: ApiResponse
  readonly written: Written | undefined
  readonly afterCommitSteps: readonly AfterCommitStep[]
}

async function perform(
  context: WorkContext,
  tx: Tx,
  { prepare, idempotency }: Performing,
): Promise<Execution> {
  const work = await unitOfWork(context, tx)
  const replayed = await idempotency?.find(work)
  if (replayed) return { response: replayed, written: undefined, afterCommitSteps: [] }
  const operation = await prepare()
  const written = await operation(work)
  await work.finish()
  return {
    response: await answerOf(work, written, idempotency),
    written,
    afterCommitSteps: work.afterCommitSteps,
  }
}

/**
 * Performs a step and records its outcome as the system, with the steps that follow from that. Returns the refusals of
 * the request.
 */
async function record(
  context: WorkContext,
  step: AfterCommitStep,
  options: WriteOptions,
): Promise<ApiError[]> {
  const outcome = await step.perform()
  const { done, refusals } = await runWithSteps(
    context,
    (work) => work.asSystem(() => outcome(work)),
    options,
  )
  return done ? [done, ...refusals] : refusals
}

/** One consistent read of a principal, which locks nothing. */
export async function runRead<T>(context: WorkContext, job: (work: Work) => Promise<T>): Promise<T> {
  const { store } = context.dependencies
  return await store.read(async (tx) => await job(await unitOfWork(context, tx, true)))
}

/** One unit of work of a principal without a request; then its steps outside the database. */
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
  options: WriteOptions,
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

/** Reads the rows again, after the steps that follow the commit. */
async function reread(work: UnitOfWork, written: Written | undefined): Promise<Written> {
  if (written?.kind !== 'rows') return written ?? { kind: 'shown', texts: [], list: false }
  const rows = []
  for (const row of written.rows) rows.push(await work.latestRow(written.resource, String(row.id)))
  return { ...written, rows }
}

/** What rules see of a unit of work, or of a consistent read, which locks nothing. */
export async function unitOfWork(
  { dependencies, rules, principal, isDryRun = false }: WorkContext,
  tx: Tx,
  isRead = false,
): Promise<UnitOfWork> {
  const milliseconds = await dependencies.businessClock.at(tx)
  const realMilliseconds = dependencies.clock.now()
  const options = { milliseconds, realMilliseconds, isRead, isDryRun }
  return new UnitOfWork({ ...dependencies, rules }, tx, principal, options)
}
