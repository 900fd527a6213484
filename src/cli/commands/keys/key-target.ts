import { string } from '@oclif/core/args'
import { resources } from '../../../resources/resource-table.js'
import { registry } from '../../terminal/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { itemPath } from '../../terminal/item-path.js'

export const KEYS = `/${resources.api_key.plural}`

export const keyShape = shapeOf(registry, resources.api_key)

export const keyArgument = string({ required: true, description: 'id of the key' })

export function keyPath(id: string): string {
  return itemPath(resources.api_key.plural, id)
}
