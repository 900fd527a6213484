import { model } from '../../src/cli/terminal/declarations/declared-model.js'
import type { ApiRequest } from '../../src/engine/core/request/request.js'
import { batchKinds } from '../../src/resources/batch-kinds.js'
import type { MoneyRule, MoneyVerb } from '../../src/schema/moves.js'
import type { Role } from '../../src/schema/role.js'

type Sent = Pick<ApiRequest, 'method' | 'path' | 'body'>

/** A named request, and what the declarations of the API say about it. */
export interface DeclaredRequest {
  readonly name: string
  readonly request: Sent
  readonly verbs: readonly MoneyVerb[]
  readonly isTestOnly: boolean
  /** Lowest role that may use each resource and operation that the request names. */
  readonly least: readonly Role[]
  /** Reason why this request is always refused, if it is. */
  readonly refuses?: string | undefined
}

/** Requests for every declared write, one for each value that its money rules distinguish. */
export function declaredRequests(ownerId: string): readonly DeclaredRequest[] {
  const known = { verbs: [], isTestOnly: false }
  const ofResources = model.all.flatMap((resource) => {
    const { name, plural, moves, actions = {}, refuses = {}, least } = resource
    const none = { create: 'nothing', update: 'nothing', delete: 'nothing' } as const
    const { create, update, delete: remove } = moves === 'nothing' ? none : moves
    const one = `/${plural}/any_1`
    const base = { ...known, least: [least] }
    const { POST, PUT, DELETE } = refuses
    const added: Sent = { method: 'POST', path: `/${plural}`, body: {} }
    const changed: Sent = { method: 'PUT', path: one, body: {} }
    const listed: Sent = { method: 'PUT', path: `/${plural}`, body: {} }
    const removed: Sent = { method: 'DELETE', path: one, body: {} }
    return [
      ...cases({ ...base, refuses: POST, name: `creating a ${name}`, request: added }, create, ownerId),
      ...cases({ ...base, refuses: PUT, name: `changing a ${name}`, request: changed }, update, ownerId),
      ...cases({ ...base, refuses: PUT, name: `changing listed ${name}s`, request: listed }, update, ownerId),
      ...cases({ ...base, refuses: DELETE, name: `deleting a ${name}`, request: removed }, remove, ownerId),
      ...Object.entries(actions).flatMap(([action, { moves: rule, least: own = least }]) => {
        const request: Sent = { method: 'POST', path: `${one}/${action}`, body: {} }
        return cases({ ...known, least: [own], name: `${action} of a ${name}`, request }, rule, ownerId)
      }),
    ]
  })
  const ofOperations = model.operations.flatMap(({ name, method, path, moves, testOnly = false, least }) => {
    if (moves === 'rows') return []
    const request: Sent = { method, path: `/${path}`, body: {} }
    const base = { ...known, least: [least], name: `the operation ${name}`, request, isTestOnly: testOnly }
    return cases(base, moves, ownerId)
  })
  const ofBatches = [...batchKinds].flatMap(([as, { moves, resource }]) => {
    const request: Sent = { method: 'POST', path: '/admin/batches/rows', body: {} }
    const least: readonly Role[] = ['cashier', resource.least]
    const rows = cases({ ...known, least, name: `a row of a batch of ${as}`, request }, moves, ownerId)
    return rows.map((declared) => ({
      ...declared,
      request: { ...request, body: { id: 'b', as, rows: [{ row: 2, body: declared.request.body ?? {} }] } },
    }))
  })
  return [...ofResources, ...ofOperations, ...ofBatches]
}

/** Variants of a request, one for each body value that a money rule distinguishes. */
function cases(base: DeclaredRequest, rule: MoneyRule, ownerId: string): DeclaredRequest[] {
  const { name, request } = base
  if (rule === 'nothing') return [base]
  if (typeof rule === 'string') return [{ ...base, verbs: [rule] }]
  const inner = (more: string, body: unknown, innerRule: MoneyRule) =>
    cases({ ...base, name: `${name} ${more}`, request: merged(request, body) }, innerRule, ownerId)
  if ('by' in rule) {
    const given = (value: string | null, innerRule: MoneyRule) =>
      inner(`${rule.by.join('.')}=${value}`, treeOf(rule.by, value), innerRule)
    return [
      ...Object.entries(rule.is).flatMap(([value, innerRule]) => given(value, innerRule)),
      ...given('other', rule.otherwise),
      // `null` in an update removes the stored value; in a new object it equals an omitted value.
      ...given(null, /^changing|update_/.test(name) ? rule.otherwise : rule.unset),
      ...inner(`without ${rule.by.join('.')}`, {}, rule.unset),
    ]
  }
  if ('naming' in rule)
    return [
      ...inner(`with ${rule.naming.join('.')}`, treeOf(rule.naming, 'any_1'), rule.moves),
      ...inner(`without ${rule.naming.join('.')}`, {}, rule.otherwise),
    ]
  if (!('ownedBy' in rule)) return [{ ...base, verbs: rule }]
  const owned = merged(request, { [rule.attribute]: ownerId })
  return [{ ...base, name: `${name} of an owner`, request: owned, verbs: [rule.moves] }]
}

function treeOf(path: readonly string[], value: string | null): unknown {
  return path.toReversed().reduce((tree: unknown, key) => ({ [key]: tree }), value)
}

function merged(request: Sent, more: unknown): Sent {
  return { ...request, body: Object.assign({}, request.body, more) }
}
