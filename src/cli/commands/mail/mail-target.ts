import { resources } from '../../../resources/resource-table.js'
import type { ClientRequest, JsonObject } from '../../terminal/client/client.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { isObject } from '../../terminal/input/body.js'
import { shapeOf } from '../../terminal/input/shape.js'

export const MAIL_SERVERS = `/${resources.mail_server.plural}`

export const mailServerShape = shapeOf(registry, resources.mail_server)

type Ask = (request: ClientRequest) => Promise<{ readonly body: JsonObject }>

/** The mail server of the environment; undefined while mail is off. */
export async function foundMailServer(ask: Ask): Promise<JsonObject | undefined> {
  const { values } = (await ask({ method: 'GET', path: MAIL_SERVERS })).body
  const [server] = Array.isArray(values) ? values.filter(isObject) : []
  return server
}
