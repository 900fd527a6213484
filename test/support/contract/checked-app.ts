import type { App } from '../../../src/app.js'
import type { Core } from '../../../src/engine/core/core.js'
import { check } from './violations.js'

/** Wraps an app so that each answer of its core is checked against the OpenAPI document. */
export function checkedApp(app: App): App {
  return {
    ...app,
    async environment(name) {
      const environment = await app.environment(name)
      return { ...environment, core: checkedCore(environment.core) }
    },
  }
}

function checkedCore(core: Core): Core {
  return {
    ...core,
    async handle(request) {
      const response = await core.handle(request)
      check(request, response)
      return response
    },
  }
}
