import type { ApiRequest, ApiResponse } from '../../src/engine/core/request/request.js'
import type { Model } from '../../src/model/model.js'
import type { ResourceModel } from '../../src/model/resource-model.js'
import type { Field, Fields } from '../../src/schema/field.js'
import type { Json, JsonObject } from '../../src/schema/json.js'

/**
 * Text that would run a script or change the layout if it were not escaped in a tag, attribute, address, script
 * or style.
 */
export const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(1)</script>'</style>&amp;\u202e\u0007javascript:alert(1)`

/**
 * Returns a handler in place of a core's, whose answers contain the hostile text in every attribute, even in
 * place of numbers and statuses.
 */
export function hostileAnswers(model: Model) {
  return async ({ path }: ApiRequest): Promise<ApiResponse> => {
    const segments = path.split('/').filter((segment) => segment !== '')
    for (const length of [2, 1]) {
      const resource = model.byPath(segments.slice(0, length).join('/'))
      if (!resource) continue
      const object = hostileObject(model, resource)
      if (segments.length > length) return { status: 200, body: object, headers: {} }
      const link = `</${resource.plural}?after=${encodeURIComponent(HOSTILE)}>; rel="next"`
      return { status: 200, body: { object: 'list', values: [object, object] }, headers: { Link: link } }
    }
    const [operation] = model.operationsAt(segments.join('/'))
    if (operation) return { status: 200, body: hostileFields(model, operation.output, 1), headers: {} }
    return { status: 404, body: { error_type: HOSTILE, error_description: HOSTILE }, headers: {} }
  }
}

function hostileObject(model: Model, { attributes }: ResourceModel, depth = 0): JsonObject {
  return hostileFields(model, attributes, depth)
}

function hostileFields(model: Model, fields: Fields, depth: number): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, hostileValue(model, field, depth)]),
  )
}

function hostileValue(model: Model, field: Field, depth: number): Json {
  switch (field.kind) {
    case 'group':
      return hostileFields(model, field.fields, depth)
    case 'rows':
      return [hostileFields(model, field.fields, depth)]
    case 'one':
    case 'many': {
      const target = model.find(field.to)
      if (!target || depth > 1) return null
      const object = hostileObject(model, target, depth + 1)
      return field.kind === 'one' ? object : [object]
    }
    case 'json':
      return { [HOSTILE]: HOSTILE, inner: [{ [HOSTILE]: [HOSTILE] }, HOSTILE] }
    // Not replaced, because the service generates these values itself.
    case 'date':
      return '2030-01-31'
    case 'datetime':
      return '2030-01-31 10:00:00'
    case 'address':
      return 'https://pay.example.com/pay/x?a=1&b=%22'
    default:
      return HOSTILE
  }
}
