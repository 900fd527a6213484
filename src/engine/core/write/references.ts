import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import { NOT_FOUND } from '../../../schema/problem.js'
import { destinationColumn } from '../../../schema/resource.js'
import { type Input, isTree } from '../../../schema/types.js'
import { ApiError, invalidAttributes } from '../request/api-error.js'
import { detailsUnder } from '../request/error-details.js'
import type { Principal } from '../request/principal.js'
import type { Engine } from './engine.js'

/**
 * Throws `InvalidAttributes` (`Not found`) unless the caller can see every object that the new row
 * references.
 */
export async function refuseUnknownReferences(
  work: Engine,
  resource: ResourceModel,
  columns: Row,
): Promise<void> {
  for (const { field, path, column } of resource.references) {
    const id = columns[column]
    if (typeof id !== 'string') continue
    const target = work.model.find(field.to)
    if (!target || !(await work.findRow(target, id)))
      throw invalidAttributes(detailsUnder(path.slice(0, -1), { [path.at(-1) ?? '']: NOT_FOUND }))
  }
}

/**
 * Throws `Forbidden` if the input of a restricted principal names a processing account outside its scope.
 * It does not matter whether that account exists.
 */
export function refuseForeignDestination(resource: ResourceModel, input: Input, principal: Principal): void {
  const ids = principal.processingIds
  if (!ids) return
  for (const way of resource.ownership) {
    if (way.kind !== 'names' || way.column === 'id') continue
    const foreign = namedIn(resource, input, way.column).find((id) => !ids.includes(id))
    if (foreign !== undefined) throw new ApiError('Forbidden', `${foreign} is outside the scope of the key`)
  }
}

/**
 * Input with the processing account of a principal that is restricted to one account, unless the input names an
 * account. See docs/interface.md, "Ids, keys and environments".
 */
export function withOnlyDestination(
  resource: ResourceModel,
  input: Input,
  { processingIds }: Principal,
): Input {
  const column = destinationColumn(resource)
  const [only, ...more] = processingIds ?? []
  if (column === undefined || only === undefined || more.length > 0) return input
  return namedIn(resource, input, column).length > 0 ? input : { ...input, [column]: only }
}

/** Ids that an input names for a column: as the attribute itself, or as the id of the related object. */
function namedIn(resource: ResourceModel, input: Input, column: string): string[] {
  const related = Object.entries(resource.attributes).flatMap(([name, field]) => {
    const tree = field.kind === 'one' && field.by === column ? input[name] : undefined
    return isTree(tree) ? [tree.id] : []
  })
  return [input[column], ...related].filter((id) => typeof id === 'string')
}
