import { string } from '@oclif/core/args'
import { resources } from '../../../resources/index.js'
import { registry } from '../../terminal/declared.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { itemPath } from '../../terminal/item-path.js'

export const webhookShape = shapeOf(registry, resources.webhook)

export const webhookArgument = string({ required: true, description: 'id of the webhook' })

export function webhookPath(id: string): string {
  return itemPath(resources.webhook.plural, id)
}
