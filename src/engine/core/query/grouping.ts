import type { ResourceModel } from '../../../model/resource-model.js'
import { parseName, placeIn } from '../../../schema/attribute-name.js'
import type { JsonObject } from '../../../schema/json.js'
import { Problem } from '../../../schema/problem.js'
import { putDetail } from '../request/error-details.js'
import { type Computed, isFunctionCall, parseCall, type Term } from './call.js'
import type { Grouping, Having, Order } from './query.js'
import { isManifold, resolveTarget } from './target.js'

/** Names that a query requests, parsed. */
export interface RequestedGroups {
  readonly resource: ResourceModel
  readonly by: readonly Term[]
  readonly having: readonly Having[]
  readonly order: readonly Order<Computed>[]
  /** Function calls among the names in `fields`. */
  readonly calls: readonly Computed[]
  /** All names in `fields`. */
  readonly names: readonly string[]
}

/** Whether groups are requested: by `group_by`, or by a function of many rows in any parameter. */
export function isGrouped({ by, having, order, calls }: RequestedGroups): boolean {
  const values = [...calls, ...order.map(({ value }) => value)]
  return by.length > 0 || having.length > 0 || values.some(({ kind }) => kind === 'aggregate')
}

/**
 * Grouping of a query. Adds names that a group cannot show to `problems`. Without `fields`, the values of
 * `group_by` are shown.
 */
export function groupingOf(requested: RequestedGroups, problems: JsonObject): Grouping {
  const { resource, by, having } = requested
  const names = [...new Set(requested.names)]
  const attributes = names.filter((name) => !isFunctionCall(name))
  for (const name of resource.select(attributes).unknown)
    putDetail(problems, placeIn('fields', name), 'Unknown attribute')
  const known: readonly Computed[] = [...by, ...requested.calls.filter(({ kind }) => kind === 'aggregate')]
  const find = (requestedName: string) => known.find(({ name }) => name === requestedName)
  const shown = names.flatMap((name) => {
    const value = find(name)
    if (!value) putDetail(problems, placeIn('fields', name), UNGROUPED)
    return value ?? []
  })
  const order = requested.order.flatMap(({ value, direction }) => {
    const same = find(value.name) ?? value
    if (same.kind === 'aggregate' || by.includes(same)) return { value: same, direction }
    putDetail(problems, ['order_by', value.name], UNGROUPED)
    return []
  })
  if (names.length === 0 && by.length === 0) refuseNothing(requested, problems)
  return { by, shown: names.length === 0 ? by : shown, having, order }
}

const UNGROUPED = 'Must be in group_by'

/**
 * Adds problems for functions in filters or `order_by` without `fields` and `group_by`. A sum of all rows
 * cannot be shown beside the attributes of each row.
 */
function refuseNothing({ having, order }: RequestedGroups, problems: JsonObject): void {
  const needs = 'Needs fields or group_by'
  for (const { aggregate } of having) putDetail(problems, [aggregate.name], needs)
  for (const { value } of order) putDetail(problems, ['order_by', value.name], needs)
}

/** Parses a name in `group_by`; a `Problem` if it is invalid. */
export function parseGroup(resource: ResourceModel, name: string): Term | Problem {
  if (isFunctionCall(name)) {
    const value = parseCall(resource, name)
    return value instanceof Problem || value.kind === 'term' ? value : new Problem('Cannot be grouped by')
  }
  const path = parseName(name)
  const target = path && resolveTarget(resource, path)
  if (!target) return new Problem('Unknown attribute')
  if (isManifold(target)) return new Problem('Cannot be grouped by: it leads into a list')
  const { end } = target
  const isPlain = end.kind === 'value' ? !/^(secret|json|rows)$/.test(end.field.kind) : end.kind !== 'inside'
  return isPlain ? { kind: 'term', name, target } : new Problem('Cannot be grouped by')
}
