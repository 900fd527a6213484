import type { Clock } from '../../../platform/clock.js'
import type { Ids } from '../../../platform/ids.js'
import type { BatchKind } from '../../../schema/batch-kind.js'
import type { Environment } from '../../store/database/store.js'
import type { CountedAction } from '../moves/judge-operator.js'
import type { ListReader } from '../read/list-reader.js'
import type { ReadDependencies } from '../read/read-dependencies.js'
import type { ApiError } from '../request/api-error.js'
import type { Principal } from '../request/principal.js'
import type { ApiRequest } from '../request/request.js'
import type { AnswerClock } from './answer-clock.js'
import type { AnyAdminRules } from './rule.js'
import type { AnyRules, Work } from './work.js'

/**
 * Counts each comparison of a masked number by a principal; `numbers` are the columns, as `table.column`.
 * Returns an error if no more comparisons are allowed now.
 */
export type CountNumbers = (
  work: Work,
  principal: Principal,
  numbers: readonly string[],
) => Promise<ApiError | undefined>

/** Checks on operators that the declarations do not contain. */
export interface OperatorJudging {
  /** Kinds of batch rows, by name. */
  readonly batchKinds: ReadonlyMap<string, BatchKind>
  /** Throws `Forbidden` if the actions would exceed the operator's limit for the day. */
  admit(work: Work, principal: Principal, counted: readonly CountedAction[]): Promise<void>
}

/** Parts that `src/app.ts` hands to a core. */
export interface CoreDependencies extends ReadDependencies {
  /** Real time, for secret keys. */
  readonly clock: Clock
  /** Clock by which idempotency keys age. */
  readonly answerClock: AnswerClock
  readonly ids: Ids
  readonly environment: Environment
  /**
   * Rules of the resources; loaded with the first write, so that a command that only reads does not load
   * them.
   */
  readonly rules: () => Promise<AnyRules>
  /** Rules of the admin operations. */
  readonly adminRules: () => Promise<AnyAdminRules>
  /** Counter of comparisons with masked numbers; loaded with the first comparison. */
  readonly countNumbers: () => Promise<CountNumbers>
  /** Checks on operators; loaded with the first request of an operator who may not do everything. */
  readonly operatorJudging: () => Promise<OperatorJudging>
  /** Reads lists in another thread; by default they are read in this one. */
  readonly listReader?: ListReader | undefined
  /**
   * Called with unexpected errors and the requests that failed because of them. The client sees only
   * `InternalServerError`.
   */
  readonly report: (error: unknown, request?: ApiRequest) => void
}
