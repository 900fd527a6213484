import { string } from '@oclif/core/args'
import { resources } from '../../resources/index.js'
import { shapeOf } from '../../terminal/shape.js'
import { registry } from '../declared.js'

export const webhookShape = shapeOf(registry, resources.webhook)

export const webhookArgument = string({ required: true, description: 'id of the webhook' })

export function webhookPath(id: string): string {
  return `/${resources.webhook.plural}/${encodeURIComponent(id)}`
}
