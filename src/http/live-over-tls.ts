import type { App } from '../app.js'
import { ApiError } from '../engine/core/request/api-error.js'

/**
 * Refuses every request to the live environment of an app that is served without TLS. Card numbers and keys must not be
 * sent unencrypted.
 */
export function withoutLive(app: App): App {
  return {
    ...app,
    async environment(name) {
      if (name === 'live')
        throw new ApiError(
          'Forbidden',
          'Live is not served over plain HTTP on another address than 127.0.0.1: put a proxy that speaks TLS in front, and serve --behind-tls-proxy',
        )
      return await app.environment(name)
    },
  }
}
