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

/** Declaration of a resource, with everything derived from it. */
export type ResourceModel = Resource & CompiledResource

/** Resources that are declared together, by their `object` names. */
export interface ResourceModels {
  readonly all: readonly ResourceModel[]
  /** Undefined if no resource with the name is declared. */
  find(name: string): ResourceModel | undefined
  /** Throws if no resource has the name. */
  get(name: string): ResourceModel
}

/** Parts derived from a declaration. Each part is compiled once, when it is first used. */
export interface CompiledResource {
  /** All resources that are declared together. Relations and references lead to them. */
  readonly model: ResourceModels
  /** Table of the resource's rows; a view uses the table of the viewed resource. */
  readonly table: string
  /** Declared fields, with the common attributes of the spec's "Conventions". */
  readonly attributes: Fields
  /** Columns of the resource's table, in the order of the declaration. */
  readonly tableColumns: readonly TableColumn[]
  /** Row in which every column is null, except the columns that make the row part of a view. */
  readonly emptyRow: Row
  /** Place where each attribute of an input is stored. */
  readonly places: InputPlaces
  /** Attributes whose changes are named in lines of activity. */
  readonly tracked: readonly TrackedAttribute[]
  /** Attributes that hold the id of another object. */
  readonly references: readonly IdReference[]
  /** Single relations that clients may send as an object or as a reference to the object. */
  readonly namedRelations: readonly NamedRelation[]
  /**
   * Single relations whose reference is required. A client may send the related object instead, whose id then
   * becomes the reference.
   */
  readonly requiredRelations: readonly NamedRelation[]
  /**
   * Columns that reference an owner: an object that shows the rows as one of its lists. The value is the
   * owner's resource.
   */
  readonly owners: ReadonlyMap<string, ResourceModel>
  readonly demandingGroups: readonly DemandingGroup[]
  /** Meaning of null in the column of each flag, in stored form. */
  readonly unsetFlags: ReadonlyMap<string, Stored>
  /** Names of lists that are shown only on request. */
  readonly hiddenLists: readonly string[]
  /** Zod schemas by kind of write. They are filled by the reader of input, the only code that loads zod. */
  readonly inputSchemas: Map<string, z.ZodType>
  /** Shape in which an object is shown by default. */
  readonly defaultShape: RowShape
  /** Compiled shape for the names of `fields`; the default shape if there are none. */
  select(names: readonly string[]): SelectedShape
  /** Compiles a selection. */
  shapeOf(selection: Selection): RowShape
}

/** Attribute that may be sent, and the place where its value is stored. */
export interface InputPlace {
  readonly field: Field
  readonly path: readonly string[]
  readonly column: string
  /** Columns of the attribute if it is a secret. */
  readonly secret: SecretColumns
  /** Attributes inside, if it is a group. */
  readonly inner: InputPlaces
}
export type InputPlaces = ReadonlyMap<string, InputPlace>

/** Attribute whose changes are named in lines of activity. */
export interface TrackedAttribute {
  /** Name with dots between a group and its attributes. */
  readonly name: string
  readonly field: ValueField
  readonly columns: readonly string[]
  /**
   * Whether activity may keep the values of the attribute permanently: amounts, states, references and
   * rights, but no texts.
   */
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

/** Group that requires some of its attributes once any of them is set. */
export interface DemandingGroup {
  /** Columns that clients fill. */
  readonly columns: readonly string[]
  readonly required: readonly { readonly path: readonly string[]; readonly column: string }[]
}

/**
 * Attributes to show, in order. The value is the selection inside a group or related object; undefined
 * means its default attributes.
 */
export type Selection = ReadonlyMap<string, Selection | undefined>

export interface SelectedShape {
  readonly shape: RowShape
  /** Names that are no attributes. */
  readonly unknown: readonly string[]
}

/**
 * Shape in which rows of a resource are shown. A row is the list of its values, in the order of `columns`.
 */
export interface RowShape {
  readonly resource: ResourceModel
  /** Whether this is the default shape of the resource. */
  readonly isDefault: boolean
  readonly steps: readonly ShapeStep[]
  /** Relations among the steps, including relations in groups. */
  readonly relations: readonly RelationStep[]
  /** Columns that are read. Reading all columns would take as long as showing them. */
  readonly columns: readonly string[]
  /** Whether a list is shown, at any depth. */
  readonly showsList: boolean
  /** Index of a column in the list of values. */
  placeOf(column: string): number
  /** Values of a row that has at least these columns. */
  valuesOf(row: Row): RowValues
  /** Writes a row as JSON text. Its values begin at `offset` of the list. */
  write(values: RowValues, context: RowContext, offset?: number): string
  /**
   * Writes a row as JSON text, with a mark if the object is deleted. The mark is left out if single
   * attributes were requested.
   */
  writeMarked(values: RowValues, context: RowContext, offset?: number): string
}

/** Step that shows one attribute. */
export type ShapeStep = {
  readonly name: string
  /** Whether the attribute is left out if it has no value. */
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

/** Time at which rows are shown, and the source of addresses. */
export interface RenderContext {
  /** Business time as a datetime. */
  readonly now: string
  readonly addresses: { show(field: AddressField, id: string, now: string): string | null }
}

/** Context for showing a row, besides its values. */
export interface RowContext extends RenderContext {
  /**
   * JSON text of related objects. For a `one` it is found by the related object's id. For a `many` it is
   * found by the row's id, and the objects are separated by commas. Undefined if there is none that may be
   * shown.
   */
  related(step: RelationStep, id: string): string | undefined
}
