import { type Endpoint, endpointsOf } from '../../src/schema/openapi/endpoints.js'
import { wordsOf } from '../../src/schema/openapi/naming.js'
import type { Registry } from '../../src/schema/registry.js'
import { adminPage } from './admin-page.js'
import { globalFlags, type Manifest, topicPage, topicsOf } from './commands-page.js'
import { conformancePage } from './conformance-page.js'
import { code, page, table } from './markdown.js'
import { pageOf } from './names.js'
import { pathsPage } from './paths-page.js'
import { resourcePage } from './resource-page.js'
import { rolesPage } from './roles-page.js'
import { triggersPage } from './triggers-page.js'

/** All pages of the reference, by path below `docs/reference/`. */
export function referencePages(registry: Registry, manifest: Manifest): ReadonlyMap<string, string> {
  const endpoints = endpointsOf(registry)
  const topics = topicsOf(manifest)
  const resources = registry.all.map(
    (resource) =>
      [
        pageOf(resource),
        resourcePage(registry, resource, endpointsUnder(endpoints, resource.plural)),
      ] as const,
  )
  const commands = [...topics].map(
    ([topic, ids]) => [`commands/${topic}.md`, topicPage(manifest, topic, ids)] as const,
  )
  return new Map([
    ['README.md', indexPage(registry)],
    ['paths.md', pathsPage(endpoints)],
    ...resources,
    ['admin.md', adminPage(registry)],
    ['roles.md', rolesPage(registry, manifest)],
    ['triggers.md', triggersPage()],
    ['conformance.md', conformancePage(registry)],
    ['commands/README.md', commandsIndex(manifest, topics)],
    ...commands,
  ])
}

function endpointsUnder(endpoints: readonly Endpoint[], plural: string): readonly Endpoint[] {
  return endpoints.filter(({ path }) => path === `/${plural}` || path.startsWith(`/${plural}/{`))
}

function indexPage(registry: Registry): string {
  return page(
    '# Reference',
    `Made from the declarations by \`npm run docs\`. [Every path and method](paths.md) with its possible answers;
[every command](commands/README.md); the same for programs is \`payctl openapi\`, or \`/openapi.json\` and \`/docs\` of \`payctl serve\`.`,
    table(
      ['resource', 'path', ''],
      registry.all.map((resource) => [
        `[${wordsOf(resource)}](${pageOf(resource)})`,
        code(`/${resource.plural}`),
        resource.summary,
      ]),
    ),
    `See also: [operations for operators](admin.md), [triggers of webhooks](triggers.md), and the permissions of each
[role of an operator](roles.md).`,
  )
}

function commandsIndex(manifest: Manifest, topics: ReadonlyMap<string, readonly string[]>): string {
  return page(
    '# Commands',
    table(
      ['topic', 'commands'],
      [...topics].map(([topic, ids]) => [
        `[${topic}](${topic}.md)`,
        ids.map((id) => code(wordsOfId(id))).join(', '),
      ]),
    ),
    '## Flags of every command',
    globalFlags(manifest),
  )
}

function wordsOfId(id: string): string {
  return id.replaceAll(':', ' ')
}
