import type { GroupField, ValueField } from './field.js'
import type { ReadonlyJsonObject } from './json-schema.js'
import type { MoneyRule } from './moves.js'
import type { Role } from './role.js'

/** Fields that an admin operation takes or answers: values, groups and lists of plain objects; nothing related. */
export type PlainFields = { readonly [name: string]: ValueField | GroupField }

/**
 * What only operators do and what is no resource: one method on one path below `/admin`, as plain data. Validation,
 * flags, help, OpenAPI and the reference follow from it; what it does is its rule (`src/domain/rules.ts`).
 */
export interface AdminOperation {
  /** By which its rule is found; the same as its key in the table of declarations. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** As in `admin/maintenance`. */
  readonly path: string
  readonly summary: string
  /** What it does with money; `rows`: what the kind of each row of a batch says. */
  readonly moves: MoneyRule | 'rows'
  /** The least role that may do it. */
  readonly least: Role
  /** It keeps to the processing accounts that a principal is narrowed to; any other is closed to such a principal. */
  readonly isScoped?: true
  /** It reads much, and is read beside payments as lists are. */
  readonly readsMuch?: true
  /** The live environment refuses it. */
  readonly testOnly?: true
  /** It drops data for good, which live confirms. */
  readonly drops?: true
  /** Attributes of the body; of a GET, parameters of the query. */
  readonly input: PlainFields
  /** The `object` value of its answer. */
  readonly object: string
  /** The answer's other attributes, all of them always there. */
  readonly output: PlainFields
  /** A request, for the reference, where not all of its attributes make one. */
  readonly example?: ReadonlyJsonObject
}

export const adminOperation = <const O extends AdminOperation>(declaration: O): O => declaration
