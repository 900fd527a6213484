import type { QueryPair } from '../../../engine/core/request/request.js'
import type { Environment } from '../../../engine/store/database/store.js'
import { shellWord } from '../../../platform/shell-word.js'
import type { Resource } from '../../../schema/resource.js'
import type { Elsewhere, Visitor } from '../console-page.js'

/** Command and path that return a list. */
export function listElsewhere(
  { environment }: Visitor,
  { plural, admin }: Resource,
  query: readonly QueryPair[],
): Elsewhere {
  const path = pathWith(`/${plural}`, query)
  if (admin) return { command: commandOf(environment, ['api', 'get', path]), path }
  const words = query.flatMap(([name, value]) => {
    const flag = FLAGS[name]
    return flag === undefined ? ['--where', `${name}=${value}`] : [`--${flag}=${value}`]
  })
  return { command: commandOf(environment, [plural.replaceAll('_', '-'), 'list', ...words]), path }
}

/** Command and path that return one object. */
export function objectElsewhere(
  { environment }: Visitor,
  { plural, admin }: Resource,
  id: string,
): Elsewhere {
  const path = `/${plural}/${encodeURIComponent(id)}`
  const words = admin ? ['api', 'get', path] : [plural.replaceAll('_', '-'), 'get', id]
  return { command: commandOf(environment, words), path }
}

/** Command and path that return a report. */
export function reportElsewhere(
  { environment }: Visitor,
  name: string,
  query: readonly QueryPair[],
): Elsewhere {
  const words = query.map(([flag, value]) => `--${flag}=${value}`)
  return {
    command: commandOf(environment, ['reports', name, ...words]),
    path: pathWith(`/admin/reports/${name}`, query),
  }
}

/** Parameters of a list that have flags of their own. */
const FLAGS: Readonly<Record<string, string>> = {
  order_by: 'order-by',
  group_by: 'group-by',
  fields: 'fields',
  offset: 'offset',
}

/** A command line for an environment; `words` follow `payctl`. */
export function commandOf(environment: Environment, words: readonly string[]): string {
  return inEnvironment(environment, ['payctl', ...words].map(shellWord).join(' '))
}

/**
 * A command line for an environment. Commands use the test environment by default, so only the live environment needs a
 * flag.
 */
export function inEnvironment(environment: Environment, command: string): string {
  return environment === 'live' ? `${command} --env live` : command
}

function pathWith(path: string, query: readonly QueryPair[]): string {
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  return search === '' ? path : `${path}?${search}`
}
