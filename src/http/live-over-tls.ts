import type { App } from '../app.js'
import { ApiError } from '../engine/core/request/api-error.js'
import type { Environment } from '../engine/store/database/store.js'

/**
 * Refuses every request to live in an app that is served without TLS, as cards and keys must not be sent in the
 * clear.
 */
export function withoutLive(app: App): App {
  const expectTest = (environment: Environment): void => {
    if (environment === 'live')
      throw new ApiError(
        'Forbidden',
        'Live is not served over plain HTTP on another address than 127.0.0.1: put a proxy that speaks TLS in front, and serve --behind-tls-proxy',
      )
  }
  return {
    ...app,
    async core(environment) {
      expectTest(environment)
      return await app.core(environment)
    },
    async oauth(environment) {
      expectTest(environment)
      return await app.oauth(environment)
    },
  }
}
