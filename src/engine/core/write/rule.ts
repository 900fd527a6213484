import type { adminOperations } from '../../../resources/admin/admin-operations.js'
import type { AnswerOf, Input, InputOf } from '../../../schema/types.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import type { IdempotencyStore } from './idempotency.js'
import type { Work } from './work.js'

/**
 * What an admin operation does. Input is validated; a refusal is thrown as an `ApiError`. The answer's values are
 * written as they are stored: money in minor units, flags as 1 and 0, JSON as text, lists of plain objects as lists.
 */
export type AdminRule<I, A> = WholeRule<I, A> | SteppedRule<I, A>

/**
 * In one unit of work: it happens together with its idempotency record or not at all, and a dry run rolls it back.
 * With GET in one consistent read.
 */
export interface WholeRule<I, A> {
  perform(work: Work, input: I): Promise<A>
}

/**
 * In many short units of work, for what takes long (a billing run). It must be safe to begin again after any of
 * them, as its answer is stored under an idempotency key only when all are done.
 */
export interface SteppedRule<I, A> {
  performInSteps(steps: Steps, input: I): Promise<A>
}

export interface Steps {
  /** The interface's datetime when the request came. */
  readonly now: string
  /** Each write is rolled back then, so that no step sees what an earlier one did. */
  readonly dryRun: boolean
  read<T>(job: (work: Work) => Promise<T>): Promise<T>
  /** One unit of work; its steps after the commit are done before this resolves. A dry run rolls it back. */
  write<T>(job: (work: Work) => Promise<T>): Promise<T>
  /** The same for many units of work, of which several may be under way at once: clients come before them. */
  readonly inBackground: Pick<Steps, 'read' | 'write'>
  /**
   * A request to a resource with the operation's principal, in a unit of work of its own that also stores its
   * answer. Throws an `ApiError` when it is refused: nothing is changed or kept then.
   */
  handle(request: InnerRequest, idempotency: IdempotencyStore): Promise<ApiResponse>
}

/** A request within an operation. */
export type InnerRequest = Pick<ApiRequest, 'method' | 'path' | 'query' | 'body'>

type Declared = typeof adminOperations

/** The rules of all admin operations, by name. */
export type AdminRules = {
  readonly [N in keyof Declared]: AdminRule<InputOf<Declared[N]['input']>, AnswerOf<Declared[N]['output']>>
}

/** The same table, for the engine, which knows operations by name only. */
export type AnyAdminRules = { readonly [name: string]: AdminRule<Input, Input> | undefined }
