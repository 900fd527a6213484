import type { PlainFields } from './admin-operation.js'
import { datetime, type Field, type Fields, json, type ManyField, type OneField } from './field.js'
import type { FormField } from './form.js'
import type { ReadonlyJsonObject } from './json-schema.js'
import type { MoneyRule, ResourceMoves } from './moves.js'
import type { Role } from './role.js'
import type { SealRule } from './seal-rule.js'

/** Way in which a row belongs to a processing account. If several are declared, one of them is enough. */
export type Ownership =
  /** The row contains the id of the processing account in this column (`id`: the row is the account). */
  | { readonly kind: 'names'; readonly column: string }
  /** The row belongs to a parent object, whose id is in this column. */
  | { readonly kind: 'parent'; readonly column: string; readonly resource: string }
  /**
   * Another object references this row in its column. If the column `unlessOwned` of the row is set, the
   * row has another owner. It can then be seen this way itself, but its children and the objects that it
   * references cannot.
   */
  | {
      readonly kind: 'named_by'
      readonly column: string
      readonly resource: string
      readonly unlessOwned?: string
    }

/** View that shows some rows of another resource under a separate path and `object` name. */
export interface View {
  readonly of: string
  /** Table of the viewed resource. */
  readonly table: string
  /** Column values of the view's rows; a new object gets them. */
  readonly where: { readonly [column: string]: string }
  /** Relations that the view's objects never have; no path leads to them. */
  readonly without?: readonly string[]
}

/**
 * Group that belongs to one value of another field. A new object with that value must have the group's
 * required attributes. The group's fields may also be written at the top level.
 */
export interface Shorthand {
  readonly group: string
  readonly when: { readonly field: string; readonly is: string }
  readonly fields: readonly string[]
  /** Attribute that may be sent in place of the group. */
  readonly instead?: string
}

export type WriteMethod = 'POST' | 'PUT' | 'DELETE'

/** Action on one object beyond the generic operations: POST `/<resource>/{id}/<action>`. */
export interface Action {
  readonly summary: string
  readonly input: PlainFields
  /** Example request for the reference, if an example cannot be made of all attributes. */
  readonly example?: ReadonlyJsonObject
  /** Rule for the money that the action moves. */
  readonly moves: MoneyRule
  /** Attribute of the object with the amount that is moved; `amount` by default. */
  readonly amountIn?: string
  /** Name of the resource whose object is answered; by default the object itself. */
  readonly answers?: string
  /** Whether the action requires the permission `manage`. */
  readonly manage?: true
  /** Minimum role for the action; by default that of the resource. */
  readonly least?: Role
  /** Whether the action also requires the permission to change such objects. */
  readonly changes?: true
  /**
   * Time when a replaced object, such as a key, ends. `at_once`: immediately, unless the request sets a
   * time. `when_said`: only if the request sets a time.
   */
  readonly ends?: 'at_once' | 'when_said'
}

/** Declaration of a resource, as plain data. */
export interface Resource {
  /** Value of `object`. */
  readonly name: string
  /** Path segment; also the table, with `/` and `-` as `_`. */
  readonly plural: string
  /** Prefix of the resource's ids. */
  readonly prefix: string
  readonly summary: string
  /** Other paths of the same collection. */
  readonly aliases?: readonly string[]
  /** Fields in the spec's table of this resource, in the same order. */
  readonly fields: Fields
  /** Columns that the API never shows. */
  readonly internal?: Fields
  readonly view?: View
  readonly shorthands?: readonly Shorthand[]
  readonly ownership: readonly Ownership[]
  /**
   * Column with the id of another object from which the service makes the row. Both ids have the same digits.
   * Until the row is changed, its content follows from that object.
   */
  readonly follows?: string
  /**
   * Methods that clients may never use, with the reason for the 403 answer, at the resource's own path and
   * inside a tree.
   */
  readonly refuses?: { readonly [M in WriteMethod]?: string }
  /** Money that is moved when an object is created, changed or deleted. */
  readonly moves: 'nothing' | ResourceMoves
  /**
   * Minimum role for creating, changing and deleting an object. The money that this moves may require a
   * higher role.
   */
  readonly least: Role
  /** Columns that the sealed books cover; undefined for a view, which uses the table of another resource. */
  readonly seals?: SealRule
  /**
   * Reason why changes need no line of activity, because they are bookkeeping only. If omitted, each change
   * needs a line.
   */
  readonly unlogged?: string
  /** Methods that are allowed only sometimes, with the condition for the 400 answer. */
  readonly restricts?: { readonly [M in WriteMethod]?: string }
  /** Actions by name; the resource's rule implements them. */
  readonly actions?: { readonly [name: string]: Action }
  /** Type of the error with which a stored object may be answered. */
  readonly answeredAs?: 'TransactionDeclined'
  /** Fields that people fill in, in the usual order: for help, prompts, confirmations and forms. */
  readonly form?: readonly FormField[]
  /** Example request for the reference; by default made of the required attributes. */
  readonly example?: ReadonlyJsonObject
  /** Whether the resource is below `/admin` and requires the permission `manage`. */
  readonly admin?: true
  /** Attribute by which people name an object; commands accept it in place of the id. */
  readonly reference?: string
  /** Attributes that a table on a terminal shows. */
  readonly columns: readonly string[]
  /** Columns, or combinations of columns, that operators filter and order by. Each has an index. */
  readonly indexes: readonly (readonly string[])[]
}

/** Relation in a nested path; undefined if the resource's objects have none with this name. */
export function relationOf(declaration: Resource, name: string): OneField | ManyField | undefined {
  const field = declaration.view?.without?.includes(name) ? undefined : attributesOf(declaration)[name]
  return field?.kind === 'one' || field?.kind === 'many' ? field : undefined
}

export const resource = <const R extends Resource>(declaration: R): R => declaration

/**
 * Declaration of a resource. Unless it is a view, it must state how its rows are sealed, or why they are not
 * sealed.
 */
export type Declared = Resource &
  ({ readonly view: View; readonly seals?: never } | { readonly seals: SealRule })

/** All attributes of a resource: its own fields, with the common attributes of the spec's "Conventions". */
export function attributesOf({ name, fields }: Resource): Fields {
  return {
    id: { kind: 'id', readonly: true, doc: 'object id' },
    object: { kind: 'constant', value: name, readonly: true, doc: `always ${name}` },
    ...fields,
    attrs: json({ doc: 'custom object attributes' }),
    created_at: datetime({ readonly: true, doc: 'time of creation (UTC)' }),
    modified_at: datetime({ readonly: true, doc: 'time of the last change (UTC)' }),
  }
}

/** Whether an attribute is in a response without `fields`. */
export function isDefault(field: Field): boolean {
  if (field.nonDefault || field.transient) return false
  return field.kind !== 'many' || field.shown === true
}

/**
 * Column with the id of the processing account that an object belongs to. Undefined for objects that belong
 * to a parent, and for the accounts themselves.
 */
export function destinationColumn({ ownership: [first] }: Pick<Resource, 'ownership'>): string | undefined {
  return first?.kind === 'names' && first.column !== 'id' ? first.column : undefined
}

/** Table of a resource's rows; a view uses the table of the viewed resource. */
export function tableNameOf({ view, plural }: Resource): string {
  return view?.table ?? plural.replace(/[/-]/g, '_')
}

/** HTTP methods of the API. Spec: "Endpoints", generic operations. */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/**
 * Number of objects in a page without `limit`, followed by the maximum. See docs/interface.md, "Requests and answers".
 */
export const DEFAULT_LIMIT = 100
export const LARGEST_LIMIT = 1_000

/** Maximum number of links to the rest of nested lists in an answer. Clients limit the size of headers. */
export const MAX_LINKS = 20
