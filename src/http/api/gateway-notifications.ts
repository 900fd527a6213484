import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.js'
import { ApiError, unavailable } from '../../engine/core/request/api-error.js'
import type { Limits } from './http-limits.js'
import type { RateLimits } from './rate-limits.js'
import { bodyTooLarge } from './request-body.js'
import { send } from './send-answer.js'

/** Seconds after which a gateway may repeat a notification that was refused. */
const RETRY_AFTER = 300

interface NotificationRoute {
  Params: { id: string }
}

interface NotificationDependencies {
  readonly app: App
  readonly limits: Limits
  readonly rates: RateLimits
  /** Called when a notification was stored, so that it is handled at once. */
  readonly stored: () => void
}

/**
 * Accepts notifications of gateways. They need no key: the id cannot be guessed and determines the environment. A
 * notification is verified over the raw bytes and answered once it is stored; its object is read from the gateway
 * afterwards. Number and size are limited before any other check.
 */
export function serveGatewayNotifications(
  server: FastifyInstance,
  { app, limits, rates, stored }: NotificationDependencies,
): void {
  server.post<NotificationRoute>('/gateways/:id/notifications', async (request, reply) => {
    const { params, headers, body } = request
    rates.admitNotification(request, reply)
    const plain = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
    )
    const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    if (raw.length > limits.notificationBytes) throw bodyTooLarge(limits.notificationBytes)
    const outcome = await app.receiveNotification({ id: params.id, headers: plain, body: raw })
    switch (outcome) {
      case 'unknown':
        throw new ApiError('NotFound', 'There is no such gateway')
      case 'forged':
        throw new ApiError('BadRequest', 'The notification is not signed by the gateway')
      case 'full':
        throw unavailable('Too many notifications of this gateway wait; send it again later', RETRY_AFTER)
      case 'stored':
        stored()
        return send(reply, 200, { received: true })
    }
  })
}
