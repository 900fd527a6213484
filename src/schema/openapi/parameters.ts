import type { Field } from '../field.js'
import { component, type ReadonlyJsonObject, type Schema } from '../json-schema.js'
import { isDeclared, type Registry } from '../registry.js'
import { attributesOf, DEFAULT_LIMIT, LARGEST_LIMIT } from '../resource.js'
import type { DocumentedAction } from './endpoints.js'
import { FILTER, FILTERS } from './filters.js'
import { properties } from './inputs.js'

/** Parameters of an operation: path, query and headers. */
export function parametersOf(
  registry: Registry,
  path: string,
  does: DocumentedAction,
): readonly ReadonlyJsonObject[] {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => idParameter(name))
  return [
    ...ids,
    ...namesOf(does).map((name) => component('parameters', name)),
    ...ownParameters(registry, does),
    ...filterParameters(registry, does),
  ]
}

type Name = keyof typeof PARAMETERS

const WRITING: readonly Name[] = ['fields', 'idempotency_key', 'dry_run', 'version']

function namesOf(does: DocumentedAction): readonly Name[] {
  switch (does.kind) {
    case 'list':
      return ['filters', 'fields', 'limit', 'offset', 'after', 'order_by', 'group_by', 'count', 'version']
    case 'get':
      return ['filters', 'fields', 'version']
    case 'create':
    case 'create many':
    case 'act':
      return WRITING
    case 'update':
    case 'delete':
      return ['filters', ...WRITING]
    case 'update many':
    case 'delete many':
      return ['mode', 'filters', ...WRITING]
    case 'operate':
      return does.operation.method === 'GET' ? ['fields', 'version'] : WRITING
  }
}

/**
 * Parameters for the attributes of a collection, so that generated clients know their names. The parameter
 * `filters` is for nested attributes and functions.
 */
function filterParameters(registry: Registry, does: DocumentedAction): readonly ReadonlyJsonObject[] {
  if (does.kind !== 'list' && does.kind !== 'update many' && does.kind !== 'delete many') return []
  return Object.entries(attributesOf(does.resource)).flatMap(([name, field]) => {
    const form = filterForm(registry, field)
    return form === undefined ? [] : [{ name, in: 'query', ...form }]
  })
}

function filterForm(registry: Registry, field: Field): ReadonlyJsonObject | undefined {
  switch (field.kind) {
    case 'group':
    case 'json':
      return field.transient ? undefined : NESTED_FILTERS
    case 'one':
    case 'many':
      return isDeclared(registry, field) ? NESTED_FILTERS : undefined
    case 'constant':
    case 'address':
    case 'file':
    case 'rows':
      return undefined
    default:
      return field.transient ? undefined : { schema: component('schemas', FILTER) }
  }
}

/** Parameters of an admin operation that reads. */
function ownParameters(registry: Registry, does: DocumentedAction): readonly ReadonlyJsonObject[] {
  if (does.kind !== 'operate' || does.operation.method !== 'GET') return []
  const { input } = does.operation
  return Object.entries(properties(registry, input)).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(input[name]?.required && { required: true }),
    schema,
  }))
}

function idParameter(name: string): ReadonlyJsonObject {
  const of = name === 'id' ? 'object' : name.replace(/_id$/, '').replaceAll('_', ' ')
  return { name, in: 'path', required: true, description: `id of the ${of}`, schema: ID }
}
const ID: Schema = { type: 'string', pattern: '^[\\w-]{1,64}$' }

const NESTED_FILTERS = { style: 'deepObject', explode: true, schema: component('schemas', FILTERS) }

const NAMES: Schema = { type: 'array', items: { type: 'string' } }

/** Parameters that requests share. Spec: "Query parameters"; docs/interface: "Idempotency and dry runs". */
export const PARAMETERS = {
  fields: query(
    'fields',
    'Attributes in the answer, as in `*,ledger` or `payment_method[type]`; `*` is every default attribute.',
    NAMES,
  ),
  filters: {
    name: 'filters',
    in: 'query',
    description:
      'A parameter for each filter: an attribute in bracket form, and its value with an operator (equal by default; `!`, `<`, `<=`, `>`, `>=`, `?*text` contains, `?text*` begins with) and alternatives (`|`), as in `status=processed|voided&amount=>100&customer[email]=?*example`. The empty value and `null` mean nothing set; `\\` makes the character behind it an ordinary one.',
    style: 'form',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    example: {},
  },
  limit: query('limit', 'Maximum number of objects in the answer.', {
    type: 'integer',
    minimum: 1,
    maximum: LARGEST_LIMIT,
    default: DEFAULT_LIMIT,
  }),
  after: query(
    'after',
    'End of the previous page, from the link to the next page. Late pages cost no more than the first. In the order of `created_at` or `id`, it is the id of the last object.',
    {
      type: 'string',
    },
  ),
  offset: query('offset', 'Number of objects to skip.', { type: 'integer', minimum: 0, default: 0 }),
  order_by: query('order_by', 'Attributes to order by: `amount`, `-amount`, `desc(created_at)`.', NAMES),
  group_by: query(
    'group_by',
    'Attributes or functions to group by, as in `status` or `month(created_at)`.',
    NAMES,
  ),
  mode: query('mode', '`query` if the filters, not the body, select the objects.', {
    type: 'string',
    enum: ['query'],
  }),
  count: header('Prefer', '`count=exact` also counts all matching objects, in `X-Total-Count`.', [
    'count=exact',
  ]),
  dry_run: header('Prefer', '`dry-run` answers what would happen and changes nothing.', ['dry-run']),
  idempotency_key: header(
    'Idempotency-Key',
    'A repeated request with the same key is executed only once; its answer is kept for 72 hours.',
  ),
  version: header('X-API-Version', 'The version of the interface.', ['v1', '1', 'v1.0']),
} as const satisfies { readonly [name: string]: ReadonlyJsonObject }

/** Parameter in the query. A list is written with commas. */
function query(name: string, description: string, schema: Schema): ReadonlyJsonObject {
  const style: ReadonlyJsonObject = schema === NAMES ? { style: 'form', explode: false } : {}
  return { name, in: 'query', description, ...style, schema }
}

function header(name: string, description: string, values?: readonly string[]): ReadonlyJsonObject {
  return { name, in: 'header', description, schema: { type: 'string', ...(values && { enum: values }) } }
}
