import type { z } from 'zod'
import type { Row, RowValues, SecretColumns, Stored, TableColumn } from '../schema/columns.js'
import type {
  AddressField,
  DerivedField,
  Field,
  Fields,
  ManyField,
  OneField,
  RefField,
  ValueField,
} from '../schema/field.js'
import type { Resource } from '../schema/resource.js'

/** A declaration together with all that follows from it. */
export type ResourceModel = Resource & CompiledResource

/** The resources that are declared together, by their `object` names. */
export interface ResourceModels {
  readonly all: readonly ResourceModel[]
  /** Undefined where a relation leads to a resource that is not declared. */
  find(name: string): ResourceModel | undefined
  /** Throws where no resource has the name. */
  get(name: string): ResourceModel
}

/** What follows from a declaration: each part is compiled once, when it is first used. */
export interface CompiledResource {
  /** The resources that are declared with it, which relations and references lead to. */
  readonly model: ResourceModels
  /** The table of its rows; those of a view are in the table of the viewed resource. */
  readonly table: string
  /** The common attributes of the spec's "Conventions" around the declared fields. */
  readonly attributes: Fields
  /** The columns of its table, in the order of the declaration. */
  readonly tableColumns: readonly TableColumn[]
  /** A row in which every column is null, except those that make it part of a view. */
  readonly emptyRow: Row
  /** Where each attribute of an input is stored. */
  readonly places: InputPlaces
  /** Its attributes, for the names and values of those that a change has changed. */
  readonly tracked: readonly TrackedAttribute[]
  /** Its attributes that hold the id of another object. */
  readonly references: readonly IdReference[]
  /** Single relations whose reference clients may send instead of the object. */
  readonly namedRelations: readonly NamedRelation[]
  /** Single relations whose reference is required: an object that is sent gives it. */
  readonly requiredRelations: readonly NamedRelation[]
  /** The columns in which a row names an object that shows it in a list, and the resource of that object. */
  readonly owners: ReadonlyMap<string, ResourceModel>
  readonly demandingGroups: readonly DemandingGroup[]
  /** The meaning of null in the column of each flag, as it would be stored. */
  readonly unsetFlags: ReadonlyMap<string, Stored>
  /** The names of lists that are shown only on request. */
  readonly hiddenLists: readonly string[]
  /** Filled by the reader of input, which alone loads zod: a schema for each way of writing. */
  readonly inputSchemas: Map<string, z.ZodType>
  /** How an object is shown by default. */
  readonly defaultShape: RowShape
  /** The names of `fields` compiled; without any, the default shape. */
  select(names: readonly string[]): SelectedShape
  /** Compiles a selection. */
  shapeOf(selection: Selection): RowShape
}

/** An attribute that may be sent, and where its value is stored. */
export interface InputPlace {
  readonly field: Field
  readonly path: readonly string[]
  readonly column: string
  /** The columns of a secret. */
  readonly secret: SecretColumns
  /** The attributes in a group. */
  readonly inner: InputPlaces
}
export type InputPlaces = ReadonlyMap<string, InputPlace>

/** An attribute whose changes activity names. */
export interface TrackedAttribute {
  /** With a dot before what is inside of a group. */
  readonly name: string
  readonly field: ValueField
  readonly columns: readonly string[]
  /** Whether activity may keep its values for good: an amount, a state, a reference or a right, never a text. */
  readonly isKept: boolean
}

export interface IdReference {
  readonly field: RefField
  readonly path: readonly string[]
  readonly column: string
}

export interface NamedRelation {
  readonly name: string
  readonly field: OneField
}

/** A group that requires some of its attributes once the client has sent any of them. */
export interface DemandingGroup {
  /** Columns that clients fill. */
  readonly columns: readonly string[]
  readonly required: readonly { readonly path: readonly string[]; readonly column: string }[]
}

/**
 * The attributes to show, in order. Groups and related objects hold a selection of their own; undefined means their default
 * attributes.
 */
export type Selection = ReadonlyMap<string, Selection | undefined>

export interface SelectedShape {
  readonly shape: RowShape
  /** Names that are no attributes. */
  readonly unknown: readonly string[]
}

/** How rows of a resource are shown with the selected attributes. A row is the list of its values, in the order of `columns`. */
export interface RowShape {
  readonly resource: ResourceModel
  /** Whether it shows what a resource shows by default. */
  readonly isDefault: boolean
  readonly steps: readonly ShapeStep[]
  /** The relations among the steps, including those in groups. */
  readonly relations: readonly RelationStep[]
  /** The columns that are read: to read all would take as long as to show them. */
  readonly columns: readonly string[]
  /** Whether a list is shown, at any depth. */
  readonly showsList: boolean
  /** The index of one of the columns. */
  placeOf(column: string): number
  /** The values of a row that has at least these columns. */
  valuesOf(row: Row): RowValues
  /** Writes a row as JSON text. Its values begin at `offset` of the list. */
  write(values: RowValues, context: RowContext, offset?: number): string
  /** Writes a row as JSON text. A deleted object says so, unless single attributes were requested. */
  writeMarked(values: RowValues, context: RowContext, offset?: number): string
}

/** How one attribute is shown. */
export type ShapeStep = {
  readonly name: string
  /** Left out where it has no value. */
  readonly whenSet?: true
} & (
  | { readonly kind: 'constant'; readonly value: string | null }
  | { readonly kind: 'column'; readonly field: ValueField; readonly column: string }
  | { readonly kind: 'derived'; readonly field: DerivedField }
  | { readonly kind: 'address'; readonly field: AddressField }
  | { readonly kind: 'group'; readonly steps: readonly ShapeStep[] }
  | { readonly kind: 'one'; readonly field: OneField; readonly shape: RowShape }
  | { readonly kind: 'many'; readonly field: ManyField; readonly shape: RowShape }
)

export type RelationStep = ShapeStep & { readonly kind: 'one' | 'many' }

/** The moment at which rows are shown, and the source of addresses. */
export interface RenderContext {
  /** A datetime. */
  readonly now: string
  readonly addresses: { show(field: AddressField, id: string, now: string): string | null }
}

/** All that showing a row needs besides its values. */
export interface RowContext extends RenderContext {
  /**
   * The JSON text of the related objects: of a `one` by their own id, of a `many` by the id of the row, with commas between
   * them. Undefined where there is none, or none that may be shown.
   */
  related(step: RelationStep, id: string): string | undefined
}
