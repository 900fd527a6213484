import type { QueryPair } from '../../../engine/core/request/request.js'
import { shellWord } from '../../../platform/shell-word.js'
import type { Resource } from '../../../schema/resource.js'
import type { Elsewhere, Visitor } from '../console-page.js'

/** A list at the terminal and over HTTP. */
export function listElsewhere(
  { environment }: Visitor,
  { plural, admin }: Resource,
  query: readonly QueryPair[],
): Elsewhere {
  const path = pathWith(`/${plural}`, query)
  if (admin) return { command: command(environment, ['api', 'get', path]), path }
  const words = query.flatMap(([name, value]) => {
    const flag = FLAGS[name]
    return flag === undefined ? ['--where', `${name}=${value}`] : [`--${flag}=${value}`]
  })
  return { command: command(environment, [plural.replaceAll('_', '-'), 'list', ...words]), path }
}

/** One object at the terminal and over HTTP. */
export function objectElsewhere(
  { environment }: Visitor,
  { plural, admin }: Resource,
  id: string,
): Elsewhere {
  const path = `/${plural}/${encodeURIComponent(id)}`
  const words = admin ? ['api', 'get', path] : [plural.replaceAll('_', '-'), 'get', id]
  return { command: command(environment, words), path }
}

/** Parameters of a list that have flags of their own. */
const FLAGS: Readonly<Record<string, string>> = {
  order_by: 'order-by',
  group_by: 'group-by',
  fields: 'fields',
  offset: 'offset',
}

function command(environment: string, words: readonly string[]): string {
  const all = ['payctl', ...words, ...(environment === 'live' ? ['--env', 'live'] : [])]
  return all.map(shellWord).join(' ')
}

function pathWith(path: string, query: readonly QueryPair[]): string {
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  return search === '' ? path : `${path}?${search}`
}
