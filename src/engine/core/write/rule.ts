import type { adminOperations } from '../../../resources/admin/admin-operations.js'
import type { AnswerOf, Input, InputOf } from '../../../schema/types.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import type { IdempotencyStore } from './idempotency.js'
import type { Work } from './work.js'

/**
 * Implementation of an admin operation. Its input is validated; it throws an `ApiError` to refuse. The
 * answer's values are in stored form: money in minor units, flags as 1 and 0, JSON as text, lists of plain
 * objects as lists.
 */
export type AdminRule<I, A> = WholeRule<I, A> | SteppedRule<I, A>

/**
 * Operation in one unit of work. It takes effect together with its idempotency record or not at all; a dry
 * run rolls it back. With GET it runs in one consistent read.
 */
export interface WholeRule<I, A> {
  perform(work: Work, input: I): Promise<A>
}

/**
 * Long operation, such as a billing run, in many short units of work. It must be safe to restart after any
 * of them, because its answer is stored only when all are done.
 */
export interface SteppedRule<I, A> {
  performInSteps(steps: Steps, input: I): Promise<A>
}

export interface Steps {
  /** Datetime when the request arrived. */
  readonly now: string
  /** Whether each write is rolled back, so that no step sees the changes of an earlier one. */
  readonly dryRun: boolean
  read<T>(job: (work: Work) => Promise<T>): Promise<T>
  /**
   * Runs `job` in one unit of work. The promise resolves after the after-commit steps. A dry run rolls the
   * unit of work back.
   */
  write<T>(job: (work: Work) => Promise<T>): Promise<T>
  /**
   * Variant of `read` and `write` for many units of work, several of which may run at once. Requests of
   * clients take precedence.
   */
  readonly inBackground: Pick<Steps, 'read' | 'write'>
  /**
   * Handles a request to a resource as the operation's principal, in a separate unit of work that also
   * stores its answer. Throws an `ApiError` if the request is refused; then neither changes nor an answer
   * are stored.
   */
  handle(request: InnerRequest, idempotency: IdempotencyStore): Promise<ApiResponse>
}

/** Request that an operation makes to a resource. */
export type InnerRequest = Pick<ApiRequest, 'method' | 'path' | 'query' | 'body'>

type Declared = typeof adminOperations

/** Rules of all admin operations, by name. */
export type AdminRules = {
  readonly [N in keyof Declared]: AdminRule<InputOf<Declared[N]['input']>, AnswerOf<Declared[N]['output']>>
}

/** `AdminRules` for the engine, which knows operations only by name. */
export type AnyAdminRules = { readonly [name: string]: AdminRule<Input, Input> | undefined }
