import type { Clock } from '../../../platform/clock.js'
import type { Ids } from '../../../platform/ids.js'
import type { BatchKind } from '../../../schema/batch-kind.js'
import type { Environment } from '../../store/database/store.js'
import type { Movement } from '../moves/judge-operator.js'
import type { ListReader } from '../read/list-reader.js'
import type { ReadDependencies } from '../read/read-dependencies.js'
import type { ApiError } from '../request/api-error.js'
import type { Principal } from '../request/principal.js'
import type { ApiRequest } from '../request/request.js'
import type { AnswerClock } from './answer-clock.js'
import type { AnyAdminRules } from './rule.js'
import type { AnyRules, Work } from './work.js'

/**
 * Counts that a principal compares masked numbers, each `table.column` once for each comparison; returns why no more may be
 * compared now.
 */
export type CountNumbers = (
  work: Work,
  principal: Principal,
  numbers: readonly string[],
) => Promise<ApiError | undefined>

/** What operators are judged by, beyond the declarations. */
export interface OperatorJudging {
  /** The kinds of rows of a batch, by name. */
  readonly batchKinds: ReadonlyMap<string, BatchKind>
  /** Throws `Forbidden` when an operator would move more than the limit of a day by what is about to be done. */
  admit(work: Work, principal: Principal, movements: readonly Movement[]): Promise<void>
}

/** What the composition root hands to a core. */
export interface CoreDependencies extends ReadDependencies {
  /** The real time, for secret keys. */
  readonly clock: Clock
  /** The time by which idempotency keys age. */
  readonly answerClock: AnswerClock
  readonly ids: Ids
  readonly environment: Environment
  /** Loaded with the first write: a command that only reads does not pay for them. */
  readonly rules: () => Promise<AnyRules>
  /** What the admin operations do. */
  readonly adminRules: () => Promise<AnyAdminRules>
  /** Counts comparisons with masked numbers; loaded with the first of them. */
  readonly countNumbers: () => Promise<CountNumbers>
  /** What operators are judged by; loaded with the first request of one who may not do everything. */
  readonly operatorJudging: () => Promise<OperatorJudging>
  /** Reads lists elsewhere; they are read here unless given. */
  readonly listReader?: ListReader | undefined
  /** Called with unexpected errors, and the requests that failed by them; the client sees only InternalServerError. */
  readonly report: (error: unknown, request?: ApiRequest) => void
}
