import { component, type JsonObject, type Schema } from './json.js'

/** A parameter of a request, by the name it has among the components. */
export type ParameterName = keyof typeof PARAMETERS

export function parameters(...names: readonly ParameterName[]): readonly JsonObject[] {
  return names.map((name) => component('parameters', name))
}

/** The id of an object in a path. */
export function idParameter(name: string, of: string): JsonObject {
  return { name, in: 'path', required: true, description: `id of the ${of}`, schema: ID }
}
const ID: Schema = { type: 'string', pattern: '^[\\w-]{1,64}$' }

const NAMES: Schema = { type: 'array', items: { type: 'string' } }

/** What requests may say beside path and body. Spec: "Query parameters"; decisions: "Idempotency and dry runs". */
export const PARAMETERS = {
  fields: query(
    'fields',
    'Attributes to answer, as in `*,ledger` or `payment_method[type]`; `*` is every default attribute. Also functions: `sum(amount)`, `count(*)`.',
    NAMES,
  ),
  filters: {
    name: 'filters',
    in: 'query',
    description:
      'A parameter for each filter: an attribute in bracket form, its value with an operator (`=` unless told: `!`, `<`, `<=`, `>`, `>=`, `?*`) and alternatives (`|`), as in `status=processed|voided&amount=>100&customer[email]=?*example`.',
    style: 'form',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    example: {},
  },
  limit: query('limit', 'The most objects to answer.', {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 100,
  }),
  offset: query('offset', 'How many objects to pass over.', { type: 'integer', minimum: 0, default: 0 }),
  order_by: query('order_by', 'Attributes to order by: `amount`, `-amount`, `desc(created_at)`.', NAMES),
  group_by: query('group_by', 'Attributes or functions to group by, as in `status` or `month(created_at)`.', NAMES),
  mode: query('mode', '`query` where the filters, not the body, name the objects.', {
    type: 'string',
    enum: ['query'],
  }),
  count: header('Prefer', '`count=exact` also counts all that match, in `X-Total-Count`.', ['count=exact']),
  dry_run: header('Prefer', '`dry-run` answers what would happen and changes nothing.', ['dry-run']),
  idempotency_key: header(
    'Idempotency-Key',
    'The same request under the same key is done once; its answer is kept for 72 hours.',
  ),
  version: header('X-API-Version', 'The version of the interface.', ['v1', '1', 'v1.0']),
} as const satisfies { readonly [name: string]: JsonObject }

/** A list is written with commas. */
function query(name: string, description: string, schema: Schema): JsonObject {
  return { name, in: 'query', description, ...(schema === NAMES && { style: 'form', explode: false }), schema }
}

function header(name: string, description: string, values?: readonly string[]): JsonObject {
  return { name, in: 'header', description, schema: { type: 'string', ...(values && { enum: values }) } }
}
