import type { AdminOperation } from '../schema/admin-operation.js'
import type { Registry } from '../schema/registry.js'
import type { Resource } from '../schema/resource.js'
import { compileResource } from './compile-resource.js'
import type { ResourceModel, ResourceModels } from './resource-model.js'

/**
 * Registry with compiled declarations. The engine finds here, by name, everything derived from a
 * declaration.
 */
export class Model implements Registry, ResourceModels {
  readonly all: readonly ResourceModel[]
  readonly operations: readonly AdminOperation[]
  private readonly byName: ReadonlyMap<string, ResourceModel>
  /** Resources whose changes need lines of activity, by their tables. */
  private readonly logged: ReadonlyMap<string, ResourceModel>

  constructor(private readonly registry: Registry) {
    this.all = registry.all.map((declaration) => compileResource(declaration, this))
    this.byName = new Map(this.all.map((resource) => [resource.name, resource]))
    this.logged = new Map(
      this.all
        .filter(({ view, unlogged }) => view === undefined && unlogged === undefined)
        .map((resource) => [resource.table, resource]),
    )
    this.operations = registry.operations
  }

  find(name: string): ResourceModel | undefined {
    return this.byName.get(name)
  }

  get(name: string): ResourceModel {
    const found = this.byName.get(name)
    if (!found) throw new Error(`No resource is declared with the name ${name}`)
    return found
  }

  /**
   * Compiled form of a declaration, or of its model. Throws if this model does not contain the declaration.
   */
  of(declaration: Resource): ResourceModel {
    return this.get(declaration.name)
  }

  /** Resources whose changes need lines of activity, without views. */
  get allLogged(): readonly ResourceModel[] {
    return [...this.logged.values()]
  }

  /** Resource of a table whose changes need lines of activity; undefined if they need none. */
  loggedIn(table: string): ResourceModel | undefined {
    return this.logged.get(table)
  }

  byPath(plural: string): ResourceModel | undefined {
    const declaration = this.registry.byPath(plural)
    return declaration && this.byName.get(declaration.name)
  }

  operationsAt(path: string): readonly AdminOperation[] {
    return this.registry.operationsAt(path)
  }
}
