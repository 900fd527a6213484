import { closed, type ReadonlyJsonObject, type Schema } from '../json-schema.js'
import type { Registry } from '../registry.js'
import type { Method } from '../resource.js'
import { answerSchemas, groupSchemas } from './answers.js'
import { requestBodyOf } from './bodies.js'
import { type DocumentedAction, endpointsOf } from './endpoints.js'
import { FILTER_SCHEMAS } from './filters.js'
import { RESPONSE_HEADERS, responseHeadersOf } from './headers.js'
import { inputSchemas } from './inputs.js'
import { ADMIN, operationIdOf, operationSummary, tagOf, wordsOf } from './naming.js'
import { notificationsOf } from './notifications.js'
import { OAUTH, OAUTH_PATHS } from './oauth.js'
import { PARAMETERS, parametersOf } from './parameters.js'
import { errorResponses, errorSchemas, responsesOf } from './responses.js'

/** Whole API as an OpenAPI 3.1 document, derived from its declarations. */
export function documentOf(registry: Registry): ReadonlyJsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'payctl',
      version: 'v1',
      summary: 'A payment processing and billing service.',
      description: DESCRIPTION,
    },
    servers: [{ url: '/', description: 'this service; the key chooses the environment' }],
    security: [{ basic: [] }, { bearer: [] }],
    tags: tagsOf(registry),
    paths: { ...pathsOf(registry), ...OAUTH_PATHS, ...SERVICE_PATHS },
    webhooks: notificationsOf(registry.all),
    components: {
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'The secret key is the user name, the password is empty.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The secret key, or an access token.' },
      },
      parameters: PARAMETERS,
      headers: RESPONSE_HEADERS,
      responses: errorResponses(),
      schemas: { ...schemasOf(registry), ...groupSchemas(), ...FILTER_SCHEMAS, ...errorSchemas() },
    },
  }
}

const DESCRIPTION = `Every resource has a collection and an item path, and related objects have paths below their parent.
Bodies are JSON, form fields with brackets (\`payment_method[card][expiry]\`) or multipart forms. A set of objects is
\`{"object":"list","values":[…]}\`; an error is \`{"object":"error",…}\` with \`details\` in the shape of the request.
Every success is a 200.`

function tagsOf(registry: Registry): readonly ReadonlyJsonObject[] {
  const tags = registry.all
    .filter(({ admin }) => !admin)
    .map((resource) => ({ name: wordsOf(resource), description: resource.summary }))
  return [
    ...tags,
    { name: ADMIN, description: 'Operations for operators; they require the permission manage.' },
    { name: OAUTH, description: 'Access of applications to processing accounts of others.' },
    { name: SERVICE, description: 'State and document of the service itself.' },
  ]
}

function pathsOf(registry: Registry): ReadonlyJsonObject {
  const paths: { [path: string]: { [method: string]: ReadonlyJsonObject } } = {}
  for (const { path, method, does } of endpointsOf(registry)) {
    if (does.kind === 'refuse') continue
    const methods = paths[path] ?? {}
    methods[method.toLowerCase()] = operationOf(registry, path, method, does)
    paths[path] = methods
    // The same path also accepts lists. The answer to a list is a list, so this operation is documented
    // separately, with the trailing slash that every path may have. In generated clients, creating one
    // object then returns that object.
    if (does.kind === 'create')
      paths[`${path}/`] = {
        post: operationOf(registry, `${path}/`, method, { ...does, kind: 'create many' }),
      }
  }
  return paths
}

/** Operation of the document for a method on a path. */
function operationOf(
  registry: Registry,
  path: string,
  method: Method,
  does: DocumentedAction,
): ReadonlyJsonObject {
  const requestBody = requestBodyOf(registry, does)
  return {
    operationId: operationIdOf(path, does),
    summary: operationSummary(does),
    ...restriction(method, does),
    tags: [tagOf(does)],
    parameters: parametersOf(registry, path, does),
    ...(requestBody && { requestBody }),
    responses: responsesOf(does),
  }
}

function restriction(method: Method, does: DocumentedAction): ReadonlyJsonObject {
  if (method === 'GET' || does.kind === 'operate') return {}
  const reason = does.resource.restricts?.[method]
  return reason === undefined ? {} : { description: `${reason} (400).` }
}

function schemasOf(registry: Registry): ReadonlyJsonObject {
  const schemas = registry.all.flatMap((resource) => [
    ...Object.entries(answerSchemas(registry, resource)),
    ...Object.entries(inputSchemas(registry, resource)),
  ])
  return Object.fromEntries(schemas)
}

/** Tag of paths about the service itself. */
const SERVICE = 'Service'

/** Paths without a declaration; they require no key. */
const SERVICE_PATHS: ReadonlyJsonObject = {
  '/healthz': withoutKey(
    'health',
    'whether the service answers',
    closed({ status: { const: 'ok' } }, ['status']),
  ),
  '/openapi.json': withoutKey('document', 'this document', { type: 'object' }),
}

function withoutKey(operationId: string, summary: string, schema: Schema): ReadonlyJsonObject {
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
