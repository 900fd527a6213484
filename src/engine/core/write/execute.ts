import type { Tx, WriteOptions } from '../../store/database/store.js'
import type { Query } from '../query/query.js'
import { project } from '../read/projection.js'
import { ApiError, errorBody, methodNotAllowed } from '../request/errors.js'
import type { JsonObject } from '../request/json.js'
import type { Principal } from '../request/principal.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import type { Route } from '../request/route.js'
import { act } from './act.js'
import { keeperFor } from './idempotency.js'
import type { Keeper } from './keeper.js'
import type { Means } from './means.js'
import { UnitOfWork } from './unit-of-work.js'
import type { AnyRules, Outstanding, Work } from './work.js'
import {
  create,
  type Operation,
  removeItem,
  removeMany,
  updateItem,
  updateMany,
  type Written,
} from './write.js'

/**
 * POST, PUT and DELETE: one unit of work, and after its commit whatever steps outside it has left over. The answer is
 * kept by the request's idempotency key unless told otherwise.
 */
export async function write(
  means: Means,
  route: Route,
  query: Query,
  request: ApiRequest,
  keeper = keeperFor(request, means.vault),
): Promise<ApiResponse> {
  const rules = await means.rules()
  return await carryOut(
    means,
    rules,
    request,
    async () => await operationOf(means, rules, route, query, request),
    keeper,
  )
}

/** Runs what a request prepares in one unit of work, once for each name that its answer is kept under. */
export async function carryOut(
  means: Means,
  rules: AnyRules,
  request: ApiRequest,
  prepare: () => Promise<Operation>,
  keeper: Keeper | undefined,
): Promise<ApiResponse> {
  // Idempotency comes before validation; without a key, what is invalid need not wait for the database.
  const operation = keeper ? undefined : await prepare()
  const done = await means.store.write(
    async (tx) =>
      await perform(await unitOfWork(means, rules, tx, request.principal), operation, prepare, keeper),
    { discard: request.dryRun === true },
  )
  if (done.outstanding.length === 0 || request.dryRun) return done.response
  for (const step of done.outstanding) await record(means, rules, request.principal, step)
  return await means.store.write(async (tx) => {
    const work = await unitOfWork(means, rules, tx, request.principal)
    return await answerOf(work, await reread(work, done.written), keeper)
  })
}

async function operationOf(
  means: Means,
  rules: AnyRules,
  route: Route,
  query: Query,
  request: ApiRequest,
): Promise<Operation> {
  const writing = { registry: means.registry, resource: route.resource, query, request }
  switch (route.kind) {
    case 'action':
      return act(rules, route, writing)
    case 'nested': {
      const { field, id, parent } = route.within
      if (field.kind !== 'many') throw methodNotAllowed(request.path, ['GET'])
      if (request.method !== 'POST') throw methodNotAllowed(request.path, ['GET', 'POST'])
      const made = await create(
        { ...writing, parentAs: field.by, defaults: field.preset },
        { [field.by]: id },
      )
      return async (work) => {
        if (!(await work.findRow(parent, id)))
          throw new ApiError('NotFound', `There is no ${parent.name} ${id}`)
        return await made(work)
      }
    }
    case 'collection':
      if (request.method === 'POST') return await create(writing)
      return request.method === 'PUT' ? await updateMany(writing) : await removeMany(writing)
    case 'item':
      if (request.method === 'POST') throw methodNotAllowed(request.path, ['GET', 'PUT', 'DELETE'])
      return request.method === 'PUT'
        ? await updateItem(writing, route.id, route.within)
        : await removeItem(writing, route.id, route.within)
  }
}

interface Done {
  readonly response: ApiResponse
  readonly written: Written | undefined
  readonly outstanding: readonly Outstanding[]
}

async function perform(
  work: UnitOfWork,
  prepared: Operation | undefined,
  prepare: () => Promise<Operation>,
  keeper: Keeper | undefined,
): Promise<Done> {
  const replayed = await keeper?.find(work)
  if (replayed) return { response: replayed, written: undefined, outstanding: [] }
  const operation = prepared ?? (await prepare())
  const written = await operation(work)
  await work.finish()
  return { response: await answerOf(work, written, keeper), written, outstanding: work.outstanding }
}

/** The answer to what was written, kept under its name; later, while an outcome is open. */
export async function answerOf(
  work: UnitOfWork,
  written: Written,
  keeper: Keeper | undefined,
): Promise<ApiResponse> {
  const { response, isSecret, open } = await render(work, written)
  if (!keeper) return response
  if (open && written.kind === 'rows') {
    const ids = written.rows.map((row) => String(row.id))
    const fields = written.fields
    await keeper.keepOpen(work, {
      resource: written.resource.name,
      ids,
      list: written.list,
      fields,
      processingIds: work.principal.processingIds,
    })
    return response
  }
  const text = await keeper.keep(work, response, isSecret)
  return text === undefined ? response : { ...response, text }
}

async function render(
  work: UnitOfWork,
  written: Written,
): Promise<{ response: ApiResponse; isSecret: boolean; open: boolean }> {
  if (written.kind === 'shown')
    return { response: ok(written.objects, written.list), isSecret: false, open: false }
  const { resource, rows, list, selection, isOutcome } = written
  const rule = work.ruleOf(resource)
  const objects = await project(work, resource, rows, selection)
  const secrets = rows.map((row) => rule?.shownOnce?.(row))
  const isSecret = secrets.some((secret) => secret !== undefined)
  const whole = isSecret ? objects.map((object, index) => ({ ...object, ...secrets[index] })) : objects
  const open = rows.some((row) => rule?.isOpen?.(row))
  const [row] = rows
  const refused = isOutcome && row ? rule?.answeredAs?.(row) : undefined
  if (!refused) return { response: ok(whole, list), isSecret, open }
  const error = new ApiError(refused.type, refused.description, whole[0])
  return { response: { status: error.status, body: errorBody(error), headers: {} }, isSecret, open }
}

function ok(objects: readonly JsonObject[], list: boolean): ApiResponse {
  const body = list ? { object: 'list', values: [...objects] } : (objects[0] ?? {})
  return { status: 200, body, headers: {} }
}

async function record(means: Means, rules: AnyRules, principal: Principal, step: Outstanding): Promise<void> {
  const outcome = await step.perform()
  await transact(means, rules, principal, outcome)
}

/** One unit of work of a principal, outside any request; then the steps outside the database that it deferred. */
export async function transact<T>(
  means: Means,
  rules: AnyRules,
  principal: Principal,
  job: (work: Work) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  const { done, outstanding } = await means.store.write(async (tx) => {
    const work = await unitOfWork(means, rules, tx, principal)
    const done = await job(work)
    await work.finish()
    return { done, outstanding: work.outstanding }
  }, options)
  if (!options.discard) for (const step of outstanding) await record(means, rules, principal, step)
  return done
}

/** The rows again, as the steps outside left them. */
async function reread(work: UnitOfWork, written: Written | undefined): Promise<Written> {
  if (written?.kind !== 'rows') return written ?? { kind: 'shown', objects: [], list: false }
  const rows = []
  for (const row of written.rows) rows.push(await work.refreshRow(written.resource, String(row.id)))
  return { ...written, rows }
}

export async function unitOfWork(
  means: Means,
  rules: AnyRules,
  tx: Tx,
  principal: Principal,
): Promise<UnitOfWork> {
  const now = await means.businessClock.at(tx)
  return new UnitOfWork({ ...means, rules }, tx, principal, now, means.clock.now())
}
