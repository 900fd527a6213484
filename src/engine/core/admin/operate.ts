import type { AdminOperation } from '../../../schema/admin-operation.js'
import { datetimeOf } from '../../../schema/datetime.js'
import type { Input } from '../../../schema/types.js'
import { authorizeOperation } from '../query/authorize.js'
import { methodNotAllowed } from '../request/errors.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import { carryOut, transact, unitOfWork } from '../write/execute.js'
import { claimOf, findAnswer, keepAnswer, keeperFor } from '../write/idempotency.js'
import type { Keeper } from '../write/keeper.js'
import type { Means } from '../write/means.js'
import type { SteppedRule, Steps, WholeRule } from '../write/rule.js'
import type { AnyRules } from '../write/work.js'
import type { Operation } from '../write/write.js'
import { readAsked } from './input.js'
import { showAnswer } from './show.js'

/** Does a request to a resource, its answer kept as told. Throws what is refused. */
export type Answering = (request: ApiRequest, keeper: Keeper | undefined) => Promise<ApiResponse>

/**
 * Answers a request to a path of admin operations, which may ask for others in turn. Throws `Forbidden` for whoever may
 * not manage the environment.
 */
export async function operate(
  means: Means,
  path: string,
  request: ApiRequest,
  answering: Answering,
): Promise<ApiResponse> {
  authorizeOperation(request.principal, request.method, path)
  const operations = means.registry.operationsAt(path)
  const operation = operations.find(({ method }) => method === request.method)
  if (!operation) {
    const allowed = operations.map(({ method }) => method)
    throw methodNotAllowed(request.path, allowed)
  }
  const [rules, adminRules] = await Promise.all([means.rules(), means.adminRules()])
  const rule = adminRules[operation.name]
  if (!rule) throw new Error(`The admin operation ${operation.name} has no rule`)
  const operating: Operating = { means, rules, operation, request, answering }
  return 'perform' in rule ? await wholly(operating, rule) : await inSteps(operating, rule)
}

interface Operating {
  readonly means: Means
  readonly rules: AnyRules
  readonly operation: AdminOperation
  readonly request: ApiRequest
  readonly answering: Answering
}

async function wholly(operating: Operating, rule: WholeRule<Input, Input>): Promise<ApiResponse> {
  const { means, rules, operation, request } = operating
  if (request.method === 'GET') {
    const { input, fields } = readAsked(means.registry, operation, request)
    const answer = await means.store.read(
      async (tx) => await rule.perform(await unitOfWork(means, rules, tx, request.principal), input),
    )
    return { status: 200, body: showAnswer(operation, answer, fields), headers: {} }
  }
  const prepare = async (): Promise<Operation> => {
    const { input, fields } = readAsked(means.registry, operation, request)
    return async (work) => {
      const shown = showAnswer(operation, await rule.perform(work, input), fields)
      return { kind: 'shown', objects: [shown], list: false }
    }
  }
  return await carryOut(means, rules, request, prepare, keeperFor(request, means.vault))
}

async function inSteps(operating: Operating, rule: SteppedRule<Input, Input>): Promise<ApiResponse> {
  const { means, operation, request } = operating
  const claim = request.method === 'GET' ? undefined : claimOf(request, means.vault)
  const kept = claim && (await means.store.read((tx) => findAnswer(tx, claim, means.clock.now())))
  if (kept) return kept
  const { input, fields } = readAsked(means.registry, operation, request)
  const answer = await rule.performInSteps(await stepsOf(operating), input)
  const response = { status: 200, body: showAnswer(operation, answer, fields), headers: {} }
  if (claim)
    await means.store.write((tx) => keepAnswer(tx, claim, datetimeOf(means.clock.now()), response, false))
  return response
}

async function stepsOf({ means, rules, request, answering }: Operating): Promise<Steps> {
  const { principal, dryRun = false } = request
  return {
    now: datetimeOf(await means.store.read(async (tx) => await means.businessClock.at(tx))),
    dryRun,
    read: async (job) =>
      await means.store.read(async (tx) => await job(await unitOfWork(means, rules, tx, principal))),
    write: async (job) => await transact(means, rules, principal, job, { discard: dryRun }),
    ask: async (asked, keeper) =>
      await answering({ ...asked, principal, dryRun }, dryRun ? undefined : keeper),
  }
}
