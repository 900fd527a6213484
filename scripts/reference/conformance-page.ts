import type { Fields } from '../../src/schema/field.js'
import { endpointsOf } from '../../src/schema/openapi/endpoints.js'
import type { Registry } from '../../src/schema/registry.js'
import { attributesOf, type Resource } from '../../src/schema/resource.js'
import { code, page, table } from './markdown.js'
import { pageOf } from './names.js'

/** Suites that go over every declared attribute, path and method, by what they show. */
const OVER_ALL = [
  [
    'every path and method answers, refuses and names what it does not know',
    'engine/core/endpoints/endpoints',
  ],
  ['what GET answers can be put back, and changes nothing', 'engine/core/endpoints/round-trips'],
  ['every kind of attribute under every filter operator', 'engine/core/filter-matrix'],
  ['filters, order and fields at random, compared with a reference', 'engine/core/random-queries'],
  ['unknown names are refused everywhere', 'engine/core/unknown-names'],
  ['every answer fits the OpenAPI document', 'support/contract/contract'],
  ['every path and method over HTTP', 'http/endpoints'],
  ['nobody sees or changes what belongs to others', 'engine/core/access/others'],
] as const

/** Every attribute and path of the interface, with the tests that show them. */
export function conformancePage(registry: Registry): string {
  const shown = registry.all.filter(({ admin }) => !admin)
  return page(
    '# Attributes and paths, and the tests that show them',
    'Made from the declarations by `npm run docs`. Rules and parameters are in [conformance](../conformance.md).',
    'These suites go over everything that is declared, so that each row below is shown by all of them:',
    table(
      ['shows', 'test'],
      OVER_ALL.map(([what, file]) => [what, code(`test/${file}.test.ts`)]),
    ),
    table(
      ['resource', 'attributes', 'paths and methods'],
      shown.map((resource) => [
        `[${code(`/${resource.plural}`)}](${pageOf(resource)})`,
        namesOf(attributesOf(resource), '').map(code).join(', '),
        pathsOf(registry, resource),
      ]),
    ),
  )
}

function namesOf(fields: Fields, group: string): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const written = group === '' ? name : `${group}[${name}]`
    return field.kind === 'group' || field.kind === 'rows' ? namesOf(field.fields, written) : [written]
  })
}

function pathsOf(registry: Registry, { plural }: Resource): string {
  const here = endpointsOf(registry).filter(
    ({ path, does }) =>
      does.kind !== 'refuse' && (path === `/${plural}` || path.startsWith(`/${plural}/{id}`)),
  )
  const byPath = new Map<string, string[]>()
  for (const { path, method } of here) byPath.set(path, [...(byPath.get(path) ?? []), method])
  return [...byPath].map(([path, methods]) => `${methods.join(' ')} ${code(path)}`).join(', ')
}
