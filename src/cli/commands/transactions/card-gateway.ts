import type { ClientRequest, JsonObject } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { isObject } from '../../terminal/input/body.js'

/** Name of the gateway for card payments of all accounts. Throws a `UsageError` if there is none. */
export async function cardGateway(
  ask: (request: ClientRequest) => Promise<{ readonly body: JsonObject }>,
): Promise<string> {
  const { routes } = (await ask({ method: 'GET', path: '/admin/gateway_routes' })).body
  const all = Array.isArray(routes) ? routes.filter(isObject) : []
  const general = all.filter(({ processing_id: account }) => account === null)
  const route =
    general.find(({ method }) => method === 'card') ?? general.find(({ method }) => method === null)
  if (typeof route?.gateway !== 'string')
    throw new UsageError('Missing --gateway: no gateway is routed to by default')
  return route.gateway
}
