import { string } from '@oclif/core/args'
import { resources } from '../../../resources/resource-table.js'
import { objectsIn } from '../../../schema/answer-values.js'
import type { ClientRequest, JsonObject } from '../../terminal/client/client.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { missingObject } from '../../terminal/failure/failure.js'
import { shapeOf } from '../../terminal/input/shape.js'

export const GATEWAYS = `/${resources.gateway.plural}`

export const gatewayShape = shapeOf(registry, resources.gateway)

export const gatewayArgument = string({ required: true, description: 'name or id of the gateway' })

type AskGateways = (request: ClientRequest) => Promise<{ readonly body: JsonObject }>

/** Path of a gateway, given by its name or its id. Throws a `Refusal` if there is no gateway of that name. */
export async function gatewayPath(name: string, ask: AskGateways): Promise<string> {
  if (name.startsWith(resources.gateway.prefix)) return itemPath(resources.gateway.plural, name)
  const { body } = await ask({ method: 'GET', path: GATEWAYS, query: [['name', name]] })
  const [found] = objectsIn(body)
  if (typeof found?.id !== 'string')
    throw missingObject(`There is no gateway ${name}; payctl gateways list shows them`)
  return `${GATEWAYS}/${found.id}`
}
