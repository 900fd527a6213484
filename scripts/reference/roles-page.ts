import type { Registry } from '../../src/schema/registry.js'
import { MIN_ROLE, ROLES, type Role } from '../../src/schema/role.js'
import type { Manifest } from './commands-page.js'
import { code, page, table } from './markdown.js'
import { pageOf } from './names.js'

const INTRODUCTION = `The lowest role of an [operator](../people.md) that may make each change, from the declarations. Every role may read
everything. A change needs the role of everything that it affects: the resource of its path, each object nested in its body, each
row of a batch, and each verb by which it moves money. Each role has the rights of the roles before it: ${ROLES.map(code).join(', ')}.`

const environments = { environment: 'its environment', home: 'test and live' } as const

/** Page of the permissions of each operator role. */
export function rolesPage(registry: Registry, { commands }: Manifest): string {
  const resources = registry.all.map((resource) => {
    const { plural, least, actions = {} } = resource
    const others = Object.entries(actions).flatMap(([name, { least: own = least }]) =>
      own === least ? [] : [`${code(name)}: ${own}`],
    )
    return [`[${code(`/${plural}`)}](${pageOf(resource)})`, least, others.join(', ')]
  })
  const operations = registry.operations
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, least, summary }) => [method, code(`/${path}`), least, summary])
  const verbs = Object.entries(MIN_ROLE).map(([verb, least]: [string, Role]) => [code(verb), least])
  const local = Object.entries(commands).flatMap(([id, { summary = '', rights }]) =>
    rights
      ? [[code(`payctl ${id.replaceAll(':', ' ')}`), rights.least, environments[rights.in], summary]]
      : [],
  )
  return page(
    '# Roles',
    INTRODUCTION,
    '## Money',
    'A refund that names no payment is a `credit`; `redirect` changes where money is paid out.',
    table(['verb', 'least role'], verbs),
    '## Resources',
    table(['creating, changing and deleting', 'least role', 'other roles for actions'], resources),
    '## Operations',
    table(['method', 'path', 'least role', ''], operations),
    '## Commands on this machine',
    'These commands open keys and databases directly, without a request. A login that is not an operator may run them in its own home.',
    table(['command', 'least role', 'in', ''], local),
  )
}
