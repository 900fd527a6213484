import type { AdminOperation } from '../../../schema/admin-operation.js'
import { datetimeOf } from '../../../schema/datetime.js'
import type { Input } from '../../../schema/types.js'
import type { WriteOptions } from '../../store/database/store.js'
import { occasionOf } from '../activity/occasion.js'
import { methodNotAllowed } from '../request/api-error.js'
import { type ApiRequest, type ApiResponse, WrittenAnswer } from '../request/request.js'
import type { RequestPath } from '../request/route.js'
import type { CoreDependencies } from '../write/core-dependencies.js'
import { type Admission, executeOnce, runRead, runUnitOfWork, type WorkContext } from '../write/execute.js'
import {
  answerStores,
  claimOf,
  findAnswer,
  type IdempotencyStore,
  INVALID,
  saveAnswer,
} from '../write/idempotency.js'
import type { SteppedRule, Steps, WholeRule } from '../write/rule.js'
import type { PreparedWrite } from '../write/write.js'
import { yieldingReads } from '../write/yielding-reads.js'
import { type AdminInput, readAdminInput } from './admin-input.js'
import { showAnswer } from './show-answer.js'

/** Request to a path of admin operations. */
interface AdminRequest {
  readonly request: ApiRequest
  readonly path: RequestPath
  /** Operations of the path, one for each method. */
  readonly operations: readonly AdminOperation[]
  readonly admit: Admission | undefined
}

/** Answers a request that an operation makes, and saves the answer in the given store. Throws refusals. */
type AnswerInner = (request: ApiRequest, idempotency: IdempotencyStore | undefined) => Promise<ApiResponse>

/**
 * Answers a permitted request to a path of admin operations. The operation may itself make requests to
 * resources.
 */
export async function operate(
  dependencies: CoreDependencies,
  { request, path, operations, admit }: AdminRequest,
  answerInner: AnswerInner,
): Promise<ApiResponse> {
  const operation = operations.find(({ method }) => method === request.method)
  if (!operation) {
    const allowed = operations.map(({ method }) => method)
    throw methodNotAllowed(request.path, allowed)
  }
  const { listReader, environment } = dependencies
  if (listReader && operation.readsMuch) return await listReader.read(environment, request)
  const [rules, adminRules] = await Promise.all([dependencies.rules(), dependencies.adminRules()])
  const rule = adminRules[operation.name]
  if (!rule) throw new Error(`The admin operation ${operation.name} has no rule`)
  const { principal } = request
  const occasion = occasionOf(request, operation.name)
  const run: OperationRun = {
    dependencies,
    rules,
    principal,
    occasion,
    operation,
    request,
    path,
    admit,
    answerInner,
  }
  return 'perform' in rule ? await performWhole(run, rule) : await performInSteps(run, rule)
}

interface OperationRun extends WorkContext {
  readonly operation: AdminOperation
  readonly request: ApiRequest
  readonly path: RequestPath
  readonly admit: Admission | undefined
  readonly answerInner: AnswerInner
}

async function performWhole(run: OperationRun, rule: WholeRule<Input, Input>): Promise<ApiResponse> {
  const { dependencies, operation, request, path, admit } = run
  if (request.method === 'GET') {
    const { input, fields } = readAdminInput(operation, request)
    const answer = await runRead(run, (work) => rule.perform(work, input))
    return { status: 200, body: showAnswer(operation, answer, fields), headers: {} }
  }
  const prepare = async (): Promise<PreparedWrite> => {
    const { input, fields } = readAdminInput(operation, request)
    return {
      says: input,
      async operation(work) {
        const shown = showAnswer(operation, await rule.perform(work, input), fields)
        return { kind: 'shown', ids: [], texts: [JSON.stringify(shown)], list: false }
      },
    }
  }
  const moves = operation.moves === 'rows' ? 'nothing' : operation.moves
  const about = { deed: { moves, amountIn: 'amount', isStored: false } }
  return await executeOnce(run, request, { prepare, about, admit }, answerStores(request, path, dependencies))
}

async function performInSteps(run: OperationRun, rule: SteppedRule<Input, Input>): Promise<ApiResponse> {
  const { dependencies, operation, request, path } = run
  const { input, fields } = await readUnlessMismatched(run)
  const claim = request.method === 'GET' ? undefined : claimOf(request, path, dependencies.vault, input)
  const kept = claim && (await dependencies.store.read((tx) => findAnswer(tx, claim)))
  if (kept) return kept
  const answer = await rule.performInSteps(await stepsOf(run), input)
  const response = new WrittenAnswer(JSON.stringify(showAnswer(operation, answer, fields)))
  if (claim)
    await dependencies.store.write(async (tx) =>
      saveAnswer(tx, claim, datetimeOf(await dependencies.answerClock.at(tx)), response, false),
    )
  return response
}

/**
 * Reads and validates the input. Invalid input throws the validation error, or `IdempotencyMismatch` if the
 * key was used for a valid request.
 */
async function readUnlessMismatched({
  dependencies,
  operation,
  request,
  path,
}: OperationRun): Promise<AdminInput> {
  try {
    return readAdminInput(operation, request)
  } catch (error) {
    const claim = request.method === 'GET' ? undefined : claimOf(request, path, dependencies.vault, INVALID)
    if (claim) await dependencies.store.read((tx) => findAnswer(tx, claim))
    throw error
  }
}

async function stepsOf(run: OperationRun): Promise<Steps> {
  const { dependencies, principal, request, answerInner } = run
  const { dryRun = false } = request
  const read = yieldingReads((job) => runRead(run, job))
  const writing =
    (options: WriteOptions): Steps['write'] =>
    async (job) =>
      await runUnitOfWork(run, job, { discard: dryRun, ...options })
  return {
    now: datetimeOf(await dependencies.businessClock.at(dependencies.store)),
    dryRun,
    read,
    write: writing({}),
    inBackground: { read, write: writing({ patient: true, background: true }) },
    handle: async (innerRequest, idempotency) =>
      await answerInner(
        { ...innerRequest, principal, dryRun, through: request.through, requestId: request.requestId },
        dryRun ? undefined : idempotency,
      ),
  }
}
