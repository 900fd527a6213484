import type { AdminOperation } from '../../../schema/admin-operation.js'
import { datetimeOf } from '../../../schema/datetime.js'
import type { Input } from '../../../schema/types.js'
import { authorizeOperation } from '../query/authorize.js'
import { methodNotAllowed } from '../request/errors.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import type { CoreDependencies } from '../write/core-dependencies.js'
import { executeOnce, runUnitOfWork, unitOfWork } from '../write/execute.js'
import {
  claimOf,
  findAnswer,
  type IdempotencyStore,
  idempotencyStoreFor,
  saveAnswer,
} from '../write/idempotency.js'
import type { SteppedRule, Steps, WholeRule } from '../write/rule.js'
import type { AnyRules } from '../write/work.js'
import type { Operation } from '../write/write.js'
import { readAdminInput } from './input.js'
import { showAnswer } from './show.js'

/** Does a request to a resource, its answer kept as told. Throws what is refused. */
export type Answering = (
  request: ApiRequest,
  idempotency: IdempotencyStore | undefined,
) => Promise<ApiResponse>

/**
 * Answers a request to a path of admin operations, which may ask for others in turn. Throws `Forbidden` for whoever may
 * not manage the environment.
 */
export async function operate(
  dependencies: CoreDependencies,
  path: string,
  request: ApiRequest,
  answering: Answering,
): Promise<ApiResponse> {
  authorizeOperation(request.principal, request.method, path)
  const operations = dependencies.registry.operationsAt(path)
  const operation = operations.find(({ method }) => method === request.method)
  if (!operation) {
    const allowed = operations.map(({ method }) => method)
    throw methodNotAllowed(request.path, allowed)
  }
  const [rules, adminRules] = await Promise.all([dependencies.rules(), dependencies.adminRules()])
  const rule = adminRules[operation.name]
  if (!rule) throw new Error(`The admin operation ${operation.name} has no rule`)
  const operating: Operating = { dependencies, rules, operation, request, answering }
  return 'perform' in rule ? await wholly(operating, rule) : await inSteps(operating, rule)
}

interface Operating {
  readonly dependencies: CoreDependencies
  readonly rules: AnyRules
  readonly operation: AdminOperation
  readonly request: ApiRequest
  readonly answering: Answering
}

async function wholly(operating: Operating, rule: WholeRule<Input, Input>): Promise<ApiResponse> {
  const { dependencies, rules, operation, request } = operating
  if (request.method === 'GET') {
    const { input, fields } = readAdminInput(dependencies.registry, operation, request)
    const answer = await dependencies.store.read(
      async (tx) => await rule.perform(await unitOfWork(dependencies, rules, tx, request.principal), input),
    )
    return { status: 200, body: showAnswer(operation, answer, fields), headers: {} }
  }
  const prepare = async (): Promise<Operation> => {
    const { input, fields } = readAdminInput(dependencies.registry, operation, request)
    return async (work) => {
      const shown = showAnswer(operation, await rule.perform(work, input), fields)
      return { kind: 'shown', objects: [shown], list: false }
    }
  }
  return await executeOnce(
    dependencies,
    rules,
    request,
    prepare,
    idempotencyStoreFor(request, dependencies.vault),
  )
}

async function inSteps(operating: Operating, rule: SteppedRule<Input, Input>): Promise<ApiResponse> {
  const { dependencies, operation, request } = operating
  const claim = request.method === 'GET' ? undefined : claimOf(request, dependencies.vault)
  const kept =
    claim && (await dependencies.store.read((tx) => findAnswer(tx, claim, dependencies.clock.now())))
  if (kept) return kept
  const { input, fields } = readAdminInput(dependencies.registry, operation, request)
  const answer = await rule.performInSteps(await stepsOf(operating), input)
  const response = { status: 200, body: showAnswer(operation, answer, fields), headers: {} }
  if (claim)
    await dependencies.store.write((tx) =>
      saveAnswer(tx, claim, datetimeOf(dependencies.clock.now()), response, false),
    )
  return response
}

async function stepsOf({ dependencies, rules, request, answering }: Operating): Promise<Steps> {
  const { principal, dryRun = false } = request
  return {
    now: datetimeOf(await dependencies.store.read(async (tx) => await dependencies.businessClock.at(tx))),
    dryRun,
    read: async (job) =>
      await dependencies.store.read(
        async (tx) => await job(await unitOfWork(dependencies, rules, tx, principal)),
      ),
    write: async (job) => await runUnitOfWork(dependencies, rules, principal, job, { discard: dryRun }),
    handle: async (innerRequest, idempotency) =>
      await answering({ ...innerRequest, principal, dryRun }, dryRun ? undefined : idempotency),
  }
}
