import { closed, type ReadonlyJsonObject, type Schema } from '../json-schema.js'
import { responseHeadersOf } from './headers.js'

/** Tag of paths about the service itself. */
export const SERVICE = 'Service'

/** Paths without a declaration; they require no key. */
export const SERVICE_PATHS: ReadonlyJsonObject = {
  '/healthz': read('health', 'whether the service answers', closed({ status: { const: 'ok' } }, ['status'])),
  '/openapi.json': read('document', 'this document', { type: 'object' }),
}

function read(operationId: string, summary: string, schema: Schema): ReadonlyJsonObject {
  return {
    get: {
      operationId,
      summary,
      tags: [SERVICE],
      security: [],
      responses: {
        '200': {
          description: summary,
          headers: responseHeadersOf(),
          content: { 'application/json': { schema } },
        },
      },
    },
  }
}
