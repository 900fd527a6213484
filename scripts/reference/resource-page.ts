import type { Endpoint } from '../../src/schema/openapi/endpoints.js'
import { createExample } from '../../src/schema/openapi/examples.js'
import { wordsOf } from '../../src/schema/openapi/naming.js'
import type { Registry } from '../../src/schema/registry.js'
import { attributesOf, type Resource } from '../../src/schema/resource.js'
import { code, page, table } from './markdown.js'
import { linkTo, summaryOf } from './names.js'
import { fieldTable } from './types.js'

/** Page of a resource: its fields, paths, restrictions, and the filters that use an index. */
export function resourcePage(registry: Registry, resource: Resource, endpoints: readonly Endpoint[]): string {
  return page(
    `# ${wordsOf(resource)}`,
    resource.summary,
    factsOf(registry, resource),
    '## Fields',
    fieldTable(registry, attributesOf(resource)),
    '## Paths',
    table(['method', 'path', ''], endpoints.map(endpointRow)),
    filtersOf(resource),
    resource.refuses?.POST === undefined ? exampleOf(registry, resource) : '',
  )
}

function factsOf(registry: Registry, resource: Resource): string {
  const { name, prefix, view, aliases = [] } = resource
  const filters = Object.entries(view?.where ?? {}).map(([column, value]) => code(`${column}=${value}`))
  const shared = view && `They are the ${linkTo(registry, view.of)} objects with ${filters.join(', ')}.`
  const other = aliases.length > 0 && `Also at ${aliases.map((alias) => code(`/${alias}`)).join(', ')}.`
  const begins = prefix === '' ? 'their ids have no prefix' : `their ids begin with ${code(prefix)}`
  const admin = resource.admin && 'They need the permission `manage`.'
  return [`\`object\` is ${code(name)}; ${begins}.`, shared, other, admin].filter(Boolean).join(' ')
}

function endpointRow({ path, method, does }: Endpoint): string[] {
  const what = does.kind === 'refuse' ? `${does.status}: ${does.reason}` : summaryOf(does)
  return [method, code(path), what + sometimes({ path, method, does })]
}

/** Text that says when an operation is refused with 400; empty if the resource has no such case. */
function sometimes({ method, does }: Endpoint): string {
  if (method === 'GET' || does.kind === 'refuse' || does.kind === 'operate') return ''
  const reason = does.resource.restricts?.[method]
  return reason === undefined ? '' : `; ${reason.charAt(0).toLowerCase()}${reason.slice(1)} (400)`
}

function filtersOf(resource: Resource): string {
  const passing = Object.entries(attributesOf(resource)).filter(
    ([, { kind, transient }]) => kind === 'address' || transient,
  )
  const every =
    passing.length === 0 ? 'Every field' : `Every field but ${passing.map(([name]) => code(name)).join(', ')}`
  const fast = resource.indexes.map((columns) => columns.map((column) => code(named(column))).join(', then '))
  return fast.length === 0
    ? ''
    : page(
        '## Filters and order',
        `${every} filters and orders. With an index: ${fast.join('; ')}.`,
      ).trimEnd()
}

/** Name of a column's attribute: `card__card_number_hash` becomes `card[card_number]`. */
function named(column: string): string {
  const [head = '', ...rest] = column.replace(/_hash$/, '').split('__')
  return head + rest.map((part) => `[${part}]`).join('')
}

function exampleOf(registry: Registry, resource: Resource): string {
  const body = JSON.stringify(createExample(registry, resource), null, 2)
  return page('## Example', `\`\`\`http\nPOST /${resource.plural}\n\n${body}\n\`\`\``).trimEnd()
}
