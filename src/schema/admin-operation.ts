import type { GroupField, ValueField } from './field.js'
import type { ReadonlyJsonObject } from './json-schema.js'
import type { MoneyRule } from './moves.js'
import type { Role } from './role.js'

/**
 * Fields of an admin operation's input or answer: values, groups and lists of plain objects, but no
 * relations.
 */
export type PlainFields = { readonly [name: string]: ValueField | GroupField }

/**
 * Declaration of an operation for operators that is not a resource: one method on one path below `/admin`,
 * as plain data. Validation, flags, help, OpenAPI and the reference are derived from it. Its implementation
 * is its rule (`src/domain/rules.ts`).
 */
export interface AdminOperation {
  /** Name by which the operation's rule is found; the same as its key in the table of declarations. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Path such as `admin/maintenance`. */
  readonly path: string
  readonly summary: string
  /**
   * Rule for the money that the operation moves; `rows`: each row of a batch follows the rule of its kind.
   */
  readonly moves: MoneyRule | 'rows'
  /** Minimum role for the operation. */
  readonly least: Role
  /**
   * Whether the operation respects the processing accounts of a restricted principal. Any other operation is
   * closed to such principals.
   */
  readonly isScoped?: true
  /** Whether the operation reads much data and is therefore run in the thread that reads lists. */
  readonly readsMuch?: true
  /** Whether the live environment refuses the operation. */
  readonly testOnly?: true
  /** Whether the operation deletes data permanently, so that the live environment asks for confirmation. */
  readonly drops?: true
  /** Attributes of the body; for a GET, parameters of the query. */
  readonly input: PlainFields
  /** Value of `object` in the operation's answer. */
  readonly object: string
  /** Other attributes of the answer; all of them are always present. */
  readonly output: PlainFields
  /** Example request for the reference, if an example cannot be made of all attributes. */
  readonly example?: ReadonlyJsonObject
}

export const adminOperation = <const O extends AdminOperation>(declaration: O): O => declaration
