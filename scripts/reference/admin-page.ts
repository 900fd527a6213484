import type { AdminOperation } from '../../src/schema/admin-operation.js'
import type { Registry } from '../../src/schema/registry.js'
import { code, page } from './markdown.js'
import { linkTo } from './names.js'
import { fieldTable } from './types.js'

/** Page of the admin operations that do not belong to a resource. */
export function adminPage(registry: Registry): string {
  const resources = registry.all.filter(({ admin }) => admin).map(({ name }) => linkTo(registry, name))
  return page(
    '# What only operators do',
    `Paths below \`/admin\` need the permission \`manage\`, and a key that is not narrowed to processing accounts. The same
holds for the paths of ${resources.join(', ')}.`,
    ...registry.operations.flatMap((operation) => operationParts(registry, operation)),
  )
}

function operationParts(registry: Registry, operation: AdminOperation): string[] {
  const { method, path, summary, input, object, output } = operation
  const taken = Object.keys(input).length === 0 ? 'It takes no input.' : fieldTable(registry, input)
  return [
    `## ${method} /${path}`,
    summary,
    taken,
    `It answers ${code(object)}:`,
    fieldTable(registry, output),
  ]
}
