import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { type Row, type Stored, type TableColumn, tableColumnsOf } from '../schema/columns.js'
import type { Fields } from '../schema/field.js'
import { attributesOf, isDefault, type Resource, tableNameOf } from '../schema/resource.js'
import { compileShape } from './compile-shape.js'
import {
  demandingGroupsOf,
  namedRelationsOf,
  ownersOf,
  placesOf,
  referencesOf,
  requiredRelationsOf,
  trackedOf,
  unsetFlagsOf,
} from './field-parts.js'
import type {
  CompiledResource,
  DemandingGroup,
  IdReference,
  InputPlaces,
  NamedRelation,
  ResourceModel,
  ResourceModels,
  RowShape,
  SelectedShape,
  Selection,
  TrackedAttribute,
} from './resource-model.js'
import { parseSelection } from './selection.js'

/** Compiles the declaration of a resource, with references to the other models. */
export function compileResource(declaration: Resource, model: ResourceModels): ResourceModel {
  return Object.assign(new LazyResource(declaration, model), declaration)
}

/** Maximum number of compiled selections per resource; clients repeat the same `fields`. */
const MAX_SELECTIONS = 20

/**
 * Model of a resource whose parts are compiled when they are first used. Most commands need few parts of
 * few resources.
 */
class LazyResource implements CompiledResource {
  readonly table: string
  readonly inputSchemas = new Map<string, z.ZodType>()
  private lazyAttributes: Fields | undefined
  private lazyTableColumns: readonly TableColumn[] | undefined
  private lazyEmptyRow: Row | undefined
  private lazyPlaces: InputPlaces | undefined
  private lazyTracked: readonly TrackedAttribute[] | undefined
  private lazyReferences: readonly IdReference[] | undefined
  private lazyNamedRelations: readonly NamedRelation[] | undefined
  private lazyRequiredRelations: readonly NamedRelation[] | undefined
  private lazyOwners: ReadonlyMap<string, ResourceModel> | undefined
  private lazyDemandingGroups: readonly DemandingGroup[] | undefined
  private lazyUnsetFlags: ReadonlyMap<string, Stored> | undefined
  private lazyHiddenLists: readonly string[] | undefined
  private lazyDefaultShape: RowShape | undefined
  private selected: LRUCache<string, SelectedShape> | undefined

  constructor(
    private readonly declaration: Resource,
    readonly model: ResourceModels,
  ) {
    this.table = tableNameOf(declaration)
  }

  get attributes(): Fields {
    this.lazyAttributes ??= attributesOf(this.declaration)
    return this.lazyAttributes
  }

  get tableColumns(): readonly TableColumn[] {
    this.lazyTableColumns ??= tableColumnsOf(this.declaration)
    return this.lazyTableColumns
  }

  get emptyRow(): Row {
    this.lazyEmptyRow ??= emptyRowOf(this.tableColumns, this.declaration)
    return this.lazyEmptyRow
  }

  get places(): InputPlaces {
    this.lazyPlaces ??= placesOf(this.attributes)
    return this.lazyPlaces
  }

  get tracked(): readonly TrackedAttribute[] {
    this.lazyTracked ??= trackedOf(this.attributes)
    return this.lazyTracked
  }

  get references(): readonly IdReference[] {
    this.lazyReferences ??= referencesOf(this.attributes)
    return this.lazyReferences
  }

  get namedRelations(): readonly NamedRelation[] {
    this.lazyNamedRelations ??= namedRelationsOf(this.attributes)
    return this.lazyNamedRelations
  }

  get requiredRelations(): readonly NamedRelation[] {
    this.lazyRequiredRelations ??= requiredRelationsOf(this.attributes)
    return this.lazyRequiredRelations
  }

  get owners(): ReadonlyMap<string, ResourceModel> {
    this.lazyOwners ??= ownersOf(this.model, this.table)
    return this.lazyOwners
  }

  get demandingGroups(): readonly DemandingGroup[] {
    this.lazyDemandingGroups ??= demandingGroupsOf(this.attributes)
    return this.lazyDemandingGroups
  }

  get unsetFlags(): ReadonlyMap<string, Stored> {
    this.lazyUnsetFlags ??= unsetFlagsOf(this.attributes)
    return this.lazyUnsetFlags
  }

  get hiddenLists(): readonly string[] {
    this.lazyHiddenLists ??= Object.entries(this.attributes)
      .filter(([, field]) => field.kind === 'many' && !isDefault(field))
      .map(([name]) => name)
    return this.lazyHiddenLists
  }

  get defaultShape(): RowShape {
    this.lazyDefaultShape ??= compileShape(this.compiled)
    return this.lazyDefaultShape
  }

  select(names: readonly string[]): SelectedShape {
    const requested = names.map((name) => name.trim()).filter((name) => name !== '')
    if (requested.length === 0) return { shape: this.defaultShape, unknown: [] }
    const key = JSON.stringify(requested)
    this.selected ??= new LRUCache({ max: MAX_SELECTIONS })
    const known = this.selected.get(key)
    if (known) return known
    const { selection, unknown } = parseSelection(this.compiled, requested)
    const created = { shape: this.shapeOf(selection), unknown }
    if (unknown.length === 0) this.selected.set(key, created)
    return created
  }

  shapeOf(selection: Selection): RowShape {
    return compileShape(this.compiled, selection)
  }

  /** The complete model of this resource, with the attributes of its declaration. */
  private get compiled(): ResourceModel {
    return this.model.get(this.declaration.name)
  }
}

function emptyRowOf(columns: readonly TableColumn[], { view }: Resource): Row {
  const names = columns.map(({ name }) => [name, null])
  // Copied through JSON, so that all rows of a resource share one layout in memory.
  return JSON.parse(JSON.stringify({ ...Object.fromEntries(names), ...view?.where }))
}
