import type { Fields } from '../../src/schema/field.js'
import { endpointsOf } from '../../src/schema/openapi/endpoints.js'
import type { Registry } from '../../src/schema/registry.js'
import { attributesOf, type Resource } from '../../src/schema/resource.js'
import { differences, keyOf, reasonFor, writtenName } from './conformance.js'
import { code, page, table } from './markdown.js'
import { pageOf } from './names.js'
import { SHOWN_BY } from './shown-by.js'
import { SPEC_FIELDS } from './spec-tables.js'

/**
 * Test files that cover every declared attribute, path and method. Each entry is the fact that a file shows, and the
 * file.
 */
export const OVER_ALL = [
  ['each attribute of the specification: declared with its type, flags and values', 'scripts/conformance'],
  [
    'each attribute: shown at once or on request, filtered by, read-only, required',
    'engine/core/endpoints/attributes',
  ],
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

/** Test file of the properties that all attributes share. */
const BY_FLAGS = 'engine/core/endpoints/attributes'

/** Page of all attributes and paths of the API, with the tests that show them. */
export function conformancePage(registry: Registry): string {
  const shown = registry.all.filter(({ admin }) => !admin)
  return page(
    '# Attributes and paths, and the tests that show them',
    'Made by `npm run docs` from the declarations and the tables of the specification. Rules and parameters are in [conformance](../conformance.md).',
    'These test files check everything that is declared, so each row below is checked by all of them:',
    table(
      ['shows', 'test'],
      OVER_ALL.map(([what, file]) => [what, code(`test/${file}.test.ts`)]),
    ),
    "## Attributes of the specification's tables",
    `The test shows what the attribute means, in addition to the test files above; ${code(BY_FLAGS)} if those show everything. Files are below \`test/\`, with \`.test.ts\`.`,
    ...shown.flatMap((resource) => attributesPart(registry, resource)),
    '## Paths, and attributes beyond the tables',
    table(
      ['resource', 'attributes beyond', 'paths and methods'],
      shown.map((resource) => [
        `[${code(`/${resource.plural}`)}](${pageOf(resource)})`,
        beyond(resource).map(code).join(', '),
        pathsOf(registry, resource),
      ]),
    ),
  )
}

/** Part of the page about a resource; empty if the specification has no table for it. */
function attributesPart(registry: Registry, resource: Resource): string[] {
  const rows = SPEC_FIELDS.filter((spec) => spec.resource === resource.name)
  if (rows.length === 0) return []
  return [
    `### ${code(`/${resource.plural}`)}`,
    table(
      ['attribute', 'specification', 'reason for a difference', 'test'],
      rows.map((spec) => {
        const reason = reasonFor(spec)
        const test = Object.entries(SHOWN_BY).find(([, names]) => names.includes(keyOf(spec)))?.[0]
        return [
          code(writtenName(spec)),
          [spec.type, ...spec.flags].join(', '),
          reason === undefined ? '' : `${differences(registry, spec).join('; ')}: ${reason}`,
          code(test ?? BY_FLAGS),
        ]
      }),
    ),
  ]
}

/** Declared attributes of a resource that have no row in the specification. */
function beyond(resource: Resource): string[] {
  const known = SPEC_FIELDS.filter((spec) => spec.resource === resource.name).map(writtenName)
  return namesOf(attributesOf(resource), '').filter((name) => !known.includes(name))
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
