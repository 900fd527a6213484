import type { Model } from '../../../model/model.js'
import type { Trigger } from '../../../resources/trigger.js'
import type { Row } from '../../../schema/columns.js'
import type { ErrorType } from '../../../schema/error-types.js'
import type { Resource } from '../../../schema/resource.js'
import type { Input, InputFor, RowOf } from '../../../schema/types.js'
import type { Environment, Tx } from '../../store/database/store.js'
import type { Vault } from '../../store/vault/vault.js'
import type { Addresses } from '../read/addresses.js'
import type { ApiError } from '../request/api-error.js'
import type { Principal } from '../request/principal.js'

/** An event for webhooks. Spec: "Events". */
export interface Event {
  readonly trigger: Trigger
  /** The declaration of the object it is about. */
  readonly object: Resource
  readonly id: string
  /** The status the object has now. */
  readonly value: string | null
  readonly processingId: string | null
}

/** A step outside the database that follows a committed intent; it returns how to record its outcome. */
export interface AfterCommitStep {
  /**
   * Never rejects: an outcome that stays unknown records nothing. The returned function runs with the system's
   * permissions. Its result refuses the request after all; such an answer is not kept under an idempotency key. One
   * object of a list is shown as it is stored.
   */
  perform(): Promise<(work: Work) => Promise<ApiError | undefined>>
}

/**
 * Objects whose trees are being written, by resource and id, with what their nested objects have added to them so far.
 * What only holds for a whole tree is checked when the tree is complete.
 */
export type OpenTrees = Map<Resource, Map<string, TreeSums>>
export type TreeSums = { readonly [figure: string]: number }

/**
 * One unit of work, as rules see it. All changes go through here, so that the answer is made from the same
 * rows and every object is in the caller's scope.
 */
export interface Work {
  readonly tx: Tx
  /** What follows from the declarations. */
  readonly model: Model
  readonly principal: Principal
  readonly environment: Environment
  readonly vault: Vault
  /** Addresses that need no key. */
  readonly addresses: Addresses
  /** What time it is for the business, in milliseconds since 1970: the same for the whole unit of work. */
  readonly milliseconds: number
  /** The same as the interface's datetime. */
  readonly now: string
  /** The real time, even if the operator moved the clock: for keys and idempotency. */
  readonly realMilliseconds: number
  readonly realNow: string
  /** Whether all of it is rolled back, so that a client can repeat it without a trace. */
  readonly isDryRun: boolean
  /** A new id; without a name it has no prefix. */
  newId(prefix: string): string

  /** A row in the caller's scope that is not deleted. It stays until the work ends, so that another row may name it. */
  find<R extends Resource>(resource: R, id: string): Promise<RowOf<R> | undefined>
  /** The same, locked: no other unit of work changes the row until this one ends. */
  lock<R extends Resource>(resource: R, id: string): Promise<RowOf<R> | undefined>
  /** All rows in scope whose column has a value. A row that another one is to name must be found by its id as well. */
  findBy<R extends Resource>(resource: R, column: keyof RowOf<R> & string, value: string): Promise<RowOf<R>[]>

  /** Creates an object from validated attributes, by its rule where it has one, nested objects included. */
  create<R extends Resource>(resource: R, input: Input): Promise<RowOf<R>>
  /** The generic create, for a rule that adds to it. */
  createPlainly<R extends Resource>(resource: R, input: Input): Promise<RowOf<R>>
  /** The generic update, for a rule that adds to it. */
  updatePlainly<R extends Resource>(resource: R, row: RowOf<R>, input: Input): Promise<RowOf<R>>
  /** The generic delete: the row is marked and gone for every reader. */
  deletePlainly<R extends Resource>(resource: R, row: RowOf<R>): Promise<void>

  /** A row with every column empty but the common ones (new id, now) and those that make it part of a view. */
  blank<R extends Resource>(resource: R): RowOf<R>
  /** Writes a new row as it is; no rule, no tree. */
  insert<R extends Resource>(resource: R, row: RowOf<R>): Promise<void>
  /** Changes columns of a row as they are (and `modified_at`); answers the row afterwards. */
  change<R extends Resource>(resource: R, id: string, columns: Partial<RowOf<R>>): Promise<RowOf<R>>
  /** Reads a row again after a guarded statement changed it. */
  refresh<R extends Resource>(resource: R, id: string): Promise<RowOf<R>>

  /**
   * Problem of a control row that is about to be used, or that was not found: it is not as it was sealed last. Undefined
   * for a row that is, and for a row that is lawfully missing.
   */
  sealProblem(table: string, id: string, row: Row | undefined): Promise<string | undefined>

  readonly openTrees: OpenTrees

  /**
   * Runs `job` with the system's permissions, in the same unit of work: the service's own bookkeeping, which the
   * caller's scope does not limit. Its events name the caller all the same.
   */
  asSystem<T>(job: () => Promise<T>): Promise<T>

  emit(...events: readonly Event[]): void
  /** Adds a step that runs after the commit. */
  afterCommit(step: AfterCommitStep): void
}

/** Surroundings of a step before a unit of work. */
export interface Preparing {
  readonly principal: Principal
  /** One consistent read of the database. */
  read<T>(job: (work: Work) => Promise<T>): Promise<T>
}

/**
 * What replaces the generic operations of a resource. Input is validated for types and flags; a refusal is thrown
 * as an `ApiError`. Methods, so that a rule may name the row and input of its own resource.
 */
export interface RuleFor<R extends Row, I> {
  /** Step that takes long (a slow hash, a query to a gateway) with validated input, before the unit of work. */
  prepare?(input: I, preparing: Preparing): I | Promise<I>
  /** Whether creating what was sent mostly inserts, so that many at once do not stand in one another's way. */
  inserts?(sent: unknown): boolean
  /** Single relations that it writes by itself; of all others it sees the references. */
  readonly handles?: readonly string[]
  /** Whether it compares rows with their seals itself, so that an update can state anew what something else changed. */
  readonly restates?: boolean
  create?(work: Work, input: I): Promise<R>
  update?(work: Work, row: R, input: I): Promise<R>
  delete?(work: Work, row: R): Promise<void>
  /** POST `/<resource>/{id}/<action>`. */
  readonly actions?: { readonly [action: string]: RuleAction<R> }
  /** An object that is stored and yet answered as an error (a declined payment). */
  answeredAs?(row: R): { readonly type: ErrorType; readonly description: string } | undefined
  /** The row as a client key is shown it, which any visitor may have; as it is unless given. */
  shownToClient?(row: R): R
  /** Whether the outcome of an operation on the row is not known yet. */
  isOpen?(row: R): boolean
  /** Attributes that a row cannot give (a key shown once), added to the answer of the work that made it. */
  shownOnce?(row: R): Row | undefined
}

export interface RuleAction<R extends Row> {
  /** Answers a row of the resource that the action's declaration says. */
  perform(work: Work, row: R, input: Input): Promise<Row>
}

/** A rule as its author writes it, with the row and input of its resource. */
export type Rule<R extends Resource> = RuleFor<RowOf<R>, InputFor<R>>

/** A rule as the engine calls it. */
export type AnyRule = RuleFor<Row, Input>

/** The rules of all resources, by their names. */
export type AnyRules = { readonly [name: string]: AnyRule | undefined }
