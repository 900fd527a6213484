import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.js'
import { ApiError } from '../../engine/core/request/errors.js'
import { send } from './answer.js'

interface NotificationRoute {
  Params: { id: string }
}

/**
 * Takes what gateways say by themselves: no key, the id cannot be guessed and leads to the environment. It is verified over
 * the raw bytes and answered once it is stored; what it is about is read from the gateway later.
 */
export function serveGatewayNotifications(server: FastifyInstance, app: App): void {
  server.post<NotificationRoute>('/gateways/:id/notifications', async ({ params, headers, body }, reply) => {
    const plain = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
    )
    const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    const outcome = await app.receiveNotification({ id: params.id, headers: plain, body: raw })
    if (outcome === 'unknown') throw new ApiError('NotFound', 'There is no such gateway')
    if (outcome === 'forged')
      throw new ApiError('BadRequest', 'The notification is not signed by the gateway')
    return send(reply, 200, { received: true })
  })
}
