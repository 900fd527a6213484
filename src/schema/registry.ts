import type { AdminOperation } from './admin-operation.js'
import type { Field } from './field.js'
import type { Resource } from './resource.js'

/** Declarations of a core, found by name and by path. */
export interface Registry {
  readonly all: readonly Resource[]
  /** Resource by its `object` name; undefined if a relation leads to a resource that is not declared. */
  find(name: string): Resource | undefined
  /** Resource by its `object` name. Throws if no resource has the name. */
  get(name: string): Resource
  /** Resource by its path segment, as in `/billing_schedules`. */
  byPath(plural: string): Resource | undefined
  readonly operations: readonly AdminOperation[]
  /** Admin operations of one path, each with a different method; empty for any other path. */
  operationsAt(path: string): readonly AdminOperation[]
}

export function registryOf(
  declarations: Readonly<Record<string, Resource>>,
  operations: readonly AdminOperation[] = [],
): Registry {
  const all = Object.values(declarations)
  const names = new Map(all.map((declaration) => [declaration.name, declaration]))
  const paths = new Map(
    all.flatMap((declaration) =>
      [declaration.plural, ...(declaration.aliases ?? [])].map((path) => [path, declaration] as const),
    ),
  )
  const operationsByPath = new Map(
    operations.map(({ path }) => [path, operations.filter((operation) => operation.path === path)]),
  )
  return {
    all,
    find: (name) => names.get(name),
    byPath: (plural) => paths.get(plural),
    operations,
    operationsAt: (path) => operationsByPath.get(path) ?? [],
    get(name) {
      const found = names.get(name)
      if (!found) throw new Error(`No resource is declared with the name ${name}`)
      return found
    },
  }
}

/** Whether a field exists. A relation does only if its resource is declared. */
export function isDeclared(registry: Pick<Registry, 'find'>, field: Field): boolean {
  return !(field.kind === 'one' || field.kind === 'many') || registry.find(field.to) !== undefined
}
