import type { App } from '../app.js'
import { ApiError } from '../engine/core/request/api-error.js'
import type { Environment } from '../engine/store/database/store.js'

/** The app as it is served where others may read along: cards and keys of live do not travel in the clear. */
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
