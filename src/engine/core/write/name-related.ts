import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import type { OneField } from '../../../schema/field.js'
import { type Input, isTree } from '../../../schema/types.js'
import { invalidAttributes } from '../request/api-error.js'
import { withDetailPath } from '../request/error-details.js'
import type { Engine } from './engine.js'
import { createNested, updateNested } from './nested.js'

/**
 * Replaces single related objects in an input by references, so that rules see one form. An object without
 * an id is created; an existing one is referenced by its id. On an update, the object that the row already
 * references stays in the tree, to be changed with the row. `handled` are relations that the resource's
 * rule writes itself. Spec: "Endpoints", nested objects, rule 1.
 */
export async function nameRelated(
  work: Engine,
  resource: ResourceModel,
  input: Input,
  handled: readonly string[] = [],
  row?: Row,
): Promise<Input> {
  let named = input
  for (const { name, field } of resource.namedRelations) {
    const tree = input[name]
    if (!isTree(tree) || handled.includes(name)) continue
    const id = tree.id ?? undefined
    const reference = input[field.by] ?? undefined
    if (id === undefined && reference !== undefined && reference !== row?.[field.by])
      throw invalidAttributes({ [name]: `Must not be sent with ${field.by}` })
    if (id !== undefined && reference !== undefined && reference !== id)
      throw invalidAttributes({ [field.by]: `Must be the id of ${name}` })
    if (id !== undefined && id === row?.[field.by]) continue
    const related = await withDetailPath([name], () => relate(work, field, tree))
    const { [name]: _, ...rest } = named
    named = { ...rest, [field.by]: related }
  }
  return named
}

async function relate(work: Engine, field: OneField, tree: Input): Promise<string> {
  const target = work.model.get(field.to)
  if (typeof tree.id !== 'string') return String((await createNested(work, target, tree)).id)
  const found = await work.findRow(target, tree.id)
  if (!found) throw invalidAttributes({ id: 'Not found' })
  if (Object.keys(tree).length > 1) await updateNested(work, target, found, tree)
  return tree.id
}
