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

/** Event for webhooks. Spec: "Events". */
export interface Event {
  readonly trigger: Trigger
  /** Declaration of the object that the event is about. */
  readonly object: Resource
  readonly id: string
  /** Current status of the object. */
  readonly value: string | null
  readonly processingId: string | null
}

/**
 * Step outside the database that follows a committed intent. It returns a function that records the
 * outcome.
 */
export interface AfterCommitStep {
  /**
   * Never rejects; for an unknown outcome the returned function records no result. That function runs with
   * the system's permissions. If it returns an `ApiError`, the request is refused after all, and the
   * refusal is not stored under an idempotency key. In a list, the object is shown as stored.
   */
  perform(): Promise<(work: Work) => Promise<ApiError | undefined>>
}

/**
 * Objects whose trees are being written, by resource and id, with the sums that their nested objects have
 * added so far. Conditions on a whole tree are checked when the tree is complete.
 */
export type OpenTrees = Map<Resource, Map<string, TreeSums>>
export type TreeSums = { readonly [figure: string]: number }

/**
 * One unit of work, as rules see it. All changes go through this object. So the answer is made from the
 * changed rows, and every object is in the caller's scope.
 */
export interface Work {
  readonly tx: Tx
  /** Model that was compiled from the declarations. */
  readonly model: Model
  readonly principal: Principal
  readonly environment: Environment
  readonly vault: Vault
  /** Addresses of pages that need no key. */
  readonly addresses: Addresses
  /** Business time in milliseconds since 1970; constant during the unit of work. */
  readonly milliseconds: number
  /** Business time as a datetime. */
  readonly now: string
  /** Real time in milliseconds, even if the operator moved the clock: for keys and idempotency. */
  readonly realMilliseconds: number
  readonly realNow: string
  /** Whether all changes are rolled back, so that a client can repeat the request without a trace. */
  readonly isDryRun: boolean
  /** New id with a prefix; an empty prefix is allowed. */
  newId(prefix: string): string

  /**
   * Row in the caller's scope that is not deleted. It cannot be deleted until the work ends, so another row
   * may reference it.
   */
  find<R extends Resource>(resource: R, id: string): Promise<RowOf<R> | undefined>
  /** `find` with a lock: no other unit of work changes the row until this one ends. */
  lock<R extends Resource>(resource: R, id: string): Promise<RowOf<R> | undefined>
  /**
   * All rows in scope whose column has the value. Before another row may reference one of them, it must
   * also be found by id.
   */
  findBy<R extends Resource>(resource: R, column: keyof RowOf<R> & string, value: string): Promise<RowOf<R>[]>

  /** Creates an object from validated attributes with its nested objects, by its rule if there is one. */
  create<R extends Resource>(resource: R, input: Input): Promise<RowOf<R>>
  /** Creates an object by the generic operation, for a rule that extends this operation. */
  createPlainly<R extends Resource>(resource: R, input: Input): Promise<RowOf<R>>
  /** Updates an object by the generic operation, for a rule that extends this operation. */
  updatePlainly<R extends Resource>(resource: R, row: RowOf<R>, input: Input): Promise<RowOf<R>>
  /** Generic delete: the row is marked as deleted and hidden from every reader. */
  deletePlainly<R extends Resource>(resource: R, row: RowOf<R>): Promise<void>

  /**
   * New row with its common columns (new id, current time) and the columns that make it part of a view; all
   * other columns are empty.
   */
  blank<R extends Resource>(resource: R): RowOf<R>
  /** Inserts a row as it is, without rule and nested objects. */
  insert<R extends Resource>(resource: R, row: RowOf<R>): Promise<void>
  /** Changes columns of a row (and `modified_at`) without a rule. Returns the changed row. */
  change<R extends Resource>(resource: R, id: string, columns: Partial<RowOf<R>>): Promise<RowOf<R>>
  /** Reads a row again, after a guarded statement changed it. */
  refresh<R extends Resource>(resource: R, id: string): Promise<RowOf<R>>

  /**
   * Problem of a control row that is about to be used, or that was not found. The problem is that the row
   * differs from its newest seal. Undefined for an intact row, and for a row that is legitimately missing.
   */
  sealProblem(table: string, id: string, row: Row | undefined): Promise<string | undefined>

  readonly openTrees: OpenTrees

  /**
   * Runs `job` with the system's permissions in the same unit of work. It serves the service's own
   * bookkeeping, which the caller's scope does not limit. Its events still name the caller.
   */
  asSystem<T>(job: () => Promise<T>): Promise<T>

  emit(...events: readonly Event[]): void
  /** Adds a step to run after the commit. */
  afterCommit(step: AfterCommitStep): void
}

/** Context of a step before the unit of work. */
export interface Preparing {
  readonly principal: Principal
  /** Runs `job` in one consistent read of the database. */
  read<T>(job: (work: Work) => Promise<T>): Promise<T>
}

/**
 * Rule of a resource, which replaces its generic operations. Input is validated for types and flags; a rule
 * throws an `ApiError` to refuse. The members are methods, so that a rule may name the row and input of its
 * own resource.
 */
export interface RuleFor<R extends Row, I> {
  /** Long step before the unit of work, such as a slow hash or a query to a gateway. Gets validated input. */
  prepare?(input: I, preparing: Preparing): I | Promise<I>
  /**
   * Whether creating these objects mostly inserts rows, so that many such requests can share a transaction.
   */
  inserts?(sent: unknown): boolean
  /** Single relations that the rule writes itself. The rule gets all other single relations as references. */
  readonly handles?: readonly string[]
  /**
   * Whether the rule compares rows with their seals itself, so that an update can overwrite tampered
   * values.
   */
  readonly restates?: boolean
  create?(work: Work, input: I): Promise<R>
  update?(work: Work, row: R, input: I): Promise<R>
  delete?(work: Work, row: R): Promise<void>
  /** POST `/<resource>/{id}/<action>`. */
  readonly actions?: { readonly [action: string]: RuleAction<R> }
  /** Error answer for a stored object, such as a declined payment. */
  answeredAs?(row: R): { readonly type: ErrorType; readonly description: string } | undefined
  /** Row as shown to a client key, which any visitor may have; by default the whole row. */
  shownToClient?(row: R): R
  /** Whether the outcome of an operation on the row is still unknown. */
  isOpen?(row: R): boolean
  /**
   * Attributes that are not stored in the row, such as a key shown once. They are added to the answer of
   * the unit of work that created them.
   */
  shownOnce?(row: R): Row | undefined
}

export interface RuleAction<R extends Row> {
  /** Returns a row of the resource that the action's declaration names. */
  perform(work: Work, row: R, input: Input): Promise<Row>
}

/** Rule as its author writes it, with the row and input of its resource. */
export type Rule<R extends Resource> = RuleFor<RowOf<R>, InputFor<R>>

/** Rule as the engine calls it. */
export type AnyRule = RuleFor<Row, Input>

/** Rules of all resources, by their names. */
export type AnyRules = { readonly [name: string]: AnyRule | undefined }
