import { attributesOf, type Resource } from '../../../../src/schema/resource.js'
import { registry } from '../../../support/contract/document.js'
import type { IdOf } from './asked.js'

/**
 * Paths made from a template, with ids from `at`. If the template has two parameters, each of these ids is
 * also combined with one from `mine`.
 */
export function pathsTo(template: string, mine: IdOf, at: IdOf): string[] {
  const resources = resourcesIn(template)
  const [first, second] = resources
  if (!first) return [template]
  if (!second) return [fill(template, [at(first)])]
  return [
    fill(template, [mine(first), at(second)]),
    fill(template, [at(first), at(second)]),
    fill(template, [at(first), mine(second)]),
  ]
}

function fill(template: string, ids: readonly string[]): string {
  const left = [...ids]
  return template.replace(/\{\w+\}/g, () => left.shift() ?? '')
}

/** The resources whose ids a path contains, in order. */
function resourcesIn(template: string): Resource[] {
  const [collection = '', below = ''] = template.slice(1).split('/{id}')
  const resource = registry.byPath(collection)
  if (!resource || !template.includes('{')) return []
  const field = attributesOf(resource)[below.split('/')[1] ?? '']
  const isItem = below.endsWith('}') && (field?.kind === 'one' || field?.kind === 'many')
  return isItem ? [resource, registry.get(field.to)] : [resource]
}
