import { resources } from '../../../resources/resource-table.js'
import { objectsIn } from '../../../schema/answer-values.js'
import type { ClientRequest, JsonObject } from '../../terminal/client/client.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'

export const MAIL_SERVERS = `/${resources.mail_server.plural}`

export const mailServerShape = shapeOf(registry, resources.mail_server)

type Ask = (request: ClientRequest) => Promise<{ readonly body: JsonObject }>

/** The mail server of the environment; undefined while mail is off. */
export async function foundMailServer(ask: Ask): Promise<JsonObject | undefined> {
  return objectsIn((await ask({ method: 'GET', path: MAIL_SERVERS })).body)[0]
}
