import type { PlainFields } from './admin-operation.js'
import { datetime, type Field, type Fields, json, type ManyField, type OneField } from './field.js'
import type { FormField } from './form.js'
import type { ReadonlyJsonObject } from './json-schema.js'
import type { MoneyRule, ResourceMoves } from './moves.js'
import type { Role } from './role.js'
import type { SealRule } from './seal-rule.js'

/** How a row is found to belong to a processing account; the first way that leads there is enough. */
export type Ownership =
  /** The row names the processing account in this column (`id`: the row is the account). */
  | { readonly kind: 'names'; readonly column: string }
  /** The row belongs to a parent object, named in this column. */
  | { readonly kind: 'parent'; readonly column: string; readonly resource: string }
  /**
   * Another object names this row in its column. Where the column `unlessOwned` says that the row is somebody's, it is
   * only seen by this way: its children, and what it names, are not included.
   */
  | {
      readonly kind: 'named_by'
      readonly column: string
      readonly resource: string
      readonly unlessOwned?: string
    }

/** A view shows some rows of another resource under a path and an `object` name of its own. */
export interface View {
  readonly of: string
  /** The table of what it views. */
  readonly table: string
  /** Column values that the rows have; a new object gets them. */
  readonly where: { readonly [column: string]: string }
  /** Relations that its objects never have: no path leads to them. */
  readonly without?: readonly string[]
}

/**
 * A group that belongs to one value of another field: a new object with that value must fill what the group requires,
 * and its fields may be written at the top level.
 */
export interface Shorthand {
  readonly group: string
  readonly when: { readonly field: string; readonly is: string }
  readonly fields: readonly string[]
  /** What may be sent instead of the group. */
  readonly instead?: string
}

export type WriteMethod = 'POST' | 'PUT' | 'DELETE'

/** What can be done with one object beyond the generic operations: POST `/<resource>/{id}/<action>`. */
export interface Action {
  readonly summary: string
  readonly input: PlainFields
  /** A request, for the reference, where not all of its attributes make one. */
  readonly example?: ReadonlyJsonObject
  /** What it does with money. */
  readonly moves: MoneyRule
  /** Attribute of the object that says how much it moves; `amount` by default. */
  readonly amountIn?: string
  /** Name of the resource whose object it answers; by default the object itself. */
  readonly answers?: string
  /** Needs the permission `manage`. */
  readonly manage?: true
  /** The least role that may do it; that of the resource unless given. */
  readonly least?: Role
  /** Needs the permission to change such objects, too. */
  readonly changes?: true
  /** What it replaces ends: at once unless the request says when, or only where the request says so. */
  readonly ends?: 'at_once' | 'when_said'
}

/** A declaration: all that is known of a resource, as plain data. */
export interface Resource {
  /** The `object` value. */
  readonly name: string
  /** The path segment; also the table, with `/` and `-` as `_`. */
  readonly plural: string
  /** Prefix of its ids. */
  readonly prefix: string
  readonly summary: string
  /** Other paths of the same collection. */
  readonly aliases?: readonly string[]
  /** The fields of the spec's table, in its order. */
  readonly fields: Fields
  /** Columns that the interface never shows. */
  readonly internal?: Fields
  readonly view?: View
  readonly shorthands?: readonly Shorthand[]
  readonly ownership: readonly Ownership[]
  /**
   * The column that names what the service makes one of these for, with an id like its own: such a row follows from that
   * object, until somebody changes it.
   */
  readonly follows?: string
  /** What clients never do, and why: 403 with this reason, at its own path and inside of a tree. */
  readonly refuses?: { readonly [M in WriteMethod]?: string }
  /** What creating, changing and deleting one does with money. */
  readonly moves: 'nothing' | ResourceMoves
  /** The least role that may create, change and delete one. What it does with money may need a higher one. */
  readonly least: Role
  /** The columns that the sealed books cover; a view has none of its own. */
  readonly seals?: SealRule
  /** Why changes need no line of activity: pure bookkeeping. Resources without such a reason need one for each change. */
  readonly unlogged?: string
  /** What clients do only sometimes: when it is answered 400. */
  readonly restricts?: { readonly [M in WriteMethod]?: string }
  /** By name; what they do is in the resource's rule. */
  readonly actions?: { readonly [name: string]: Action }
  /** An object may be stored and yet answered as this error. */
  readonly answeredAs?: 'TransactionDeclined'
  /** Fields that people fill in, in the order of life: for help, prompts, confirmations and forms. */
  readonly form?: readonly FormField[]
  /** A request that makes one, for the reference; unless given it is made of what is required. */
  readonly example?: ReadonlyJsonObject
  /** Lives under `/admin` and needs the permission `manage`. */
  readonly admin?: true
  /** The attribute by which people name one: commands take it wherever they take the id. */
  readonly reference?: string
  /** Attributes that a table on a terminal shows. */
  readonly columns: readonly string[]
  /** Columns (or several together) that operators filter and order by; each has an index. */
  readonly indexes: readonly (readonly string[])[]
}

/** The relation of a resource that a nested path names; nothing where its objects never have one. */
export function relationOf(declaration: Resource, name: string): OneField | ManyField | undefined {
  const field = declaration.view?.without?.includes(name) ? undefined : attributesOf(declaration)[name]
  return field?.kind === 'one' || field?.kind === 'many' ? field : undefined
}

export const resource = <const R extends Resource>(declaration: R): R => declaration

/** A resource with a table of its own says how its rows are sealed, or why they are not. */
export type Declared = Resource &
  ({ readonly view: View; readonly seals?: never } | { readonly seals: SealRule })

/** Every attribute of a resource: the common ones of the spec's "Conventions" around the table's own. */
export function attributesOf({ name, fields }: Resource): Fields {
  return {
    id: { kind: 'id', readonly: true, doc: 'object id' },
    object: { kind: 'constant', value: name, readonly: true, doc: `always ${name}` },
    ...fields,
    attrs: json({ doc: 'custom object attributes' }),
    created_at: datetime({ readonly: true, doc: 'when it was created (UTC)' }),
    modified_at: datetime({ readonly: true, doc: 'when it last changed (UTC)' }),
  }
}

/** Whether an attribute is in a response that did not ask for particular `fields`. */
export function isDefault(field: Field): boolean {
  if (field.nonDefault || field.transient) return false
  return field.kind !== 'many' || field.shown === true
}

/**
 * The column in which an object names the processing account that it belongs to, where that is how it belongs to one;
 * undefined for objects that belong to a parent, and for accounts themselves.
 */
export function destinationColumn({ ownership: [first] }: Pick<Resource, 'ownership'>): string | undefined {
  return first?.kind === 'names' && first.column !== 'id' ? first.column : undefined
}

/** The table that holds a resource's rows; a view's rows are in the table of what it views. */
export function tableNameOf({ view, plural }: Resource): string {
  return view?.table ?? plural.replace(/[/-]/g, '_')
}

/** The verbs of the interface. Spec: "Endpoints", generic operations. */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** How many objects a page has unless `limit` says otherwise, and how many it may have. Decisions: "The wire". */
export const DEFAULT_LIMIT = 100
export const LARGEST_LIMIT = 1_000

/** The most links to the rest of nested lists in an answer: its headers have to fit into those that clients read. */
export const MAX_LINKS = 20
