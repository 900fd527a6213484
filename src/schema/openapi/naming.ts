import type { Resource } from '../resource.js'
import type { DocumentedAction, DocumentedOperation } from './endpoints.js'
import { pascal } from './names.js'

/** Tag of the admin operations. */
export const ADMIN = 'Admin'

export function tagOf(does: DocumentedAction): string {
  if (does.kind === 'operate') return ADMIN
  const resource = (does.kind === 'act' ? undefined : does.parent?.resource) ?? does.resource
  return resource.admin ? ADMIN : wordsOf(resource)
}

/** Resource as words: `billing_schedules` gives `Billing schedules`. */
export function wordsOf({ plural }: Resource): string {
  const words = plainly(plural)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Unique name of an operation. */
export function operationIdOf(path: string, does: DocumentedAction): string {
  const alias = aliasOf(path, does)
  const via = alias === undefined ? '' : `Via${pascal(alias)}`
  switch (does.kind) {
    case 'act':
      return `${does.name}${pascal(does.resource.name)}${via}`
    case 'operate': {
      const name = pascal(does.operation.name)
      return name.charAt(0).toLowerCase() + name.slice(1)
    }
    default:
      return `${verbs[does.kind]}${objectOf(path, does)}${via}`
  }
}

const verbs: { readonly [K in DocumentedOperation['kind']]: string } = {
  list: 'list',
  create: 'create',
  'create many': 'createMany',
  'update many': 'updateMany',
  'delete many': 'deleteMany',
  get: 'get',
  update: 'update',
  delete: 'delete',
}

function objectOf(path: string, { kind, resource, parent }: DocumentedOperation): string {
  if (!parent) {
    const isOne = kind === 'create' || kind === 'get' || kind === 'update' || kind === 'delete'
    return pascal(isOne ? resource.name : resource.plural)
  }
  const item = path.endsWith('}') ? 'Item' : ''
  return `${pascal(parent.name)}${item}Of${pascal(parent.resource.name)}`
}

/** Alias of a collection in a path; undefined if the path uses its main name. */
function aliasOf(path: string, does: DocumentedAction): string | undefined {
  if (does.kind === 'operate') return undefined
  const resource = (does.kind === 'act' ? undefined : does.parent?.resource) ?? does.resource
  return resource.aliases?.find((alias) => path === `/${alias}` || path.startsWith(`/${alias}/`))
}

/** Summary of an operation. */
export function operationSummary(does: DocumentedAction): string {
  switch (does.kind) {
    case 'act':
      return does.action.summary
    case 'operate':
      return does.operation.summary
    case 'list':
      return `list ${many(does)}`
    case 'create':
      return `create ${one(does)}`
    case 'create many':
      return `create a list of ${many(does)}`
    case 'update many':
      return `update a list of ${many(does)}, or all that match`
    case 'delete many':
      return `delete a list of ${many(does)}, or all that match`
    case 'get':
      return `get ${one(does)}`
    case 'update':
      return `update ${one(does)}`
    case 'delete':
      return `delete ${one(does)}`
  }
}

function many({ resource, parent }: DocumentedOperation): string {
  return `${plainly(parent?.name ?? resource.plural)}${of(parent)}`
}

function one({ resource, parent }: DocumentedOperation): string {
  const name = resource.name.replaceAll('_', ' ')
  return `${parent?.field.kind === 'one' ? 'the' : article(name)} ${name}${of(parent)}`
}

function of(parent: DocumentedOperation['parent']): string {
  if (!parent) return ''
  const name = parent.resource.name.replaceAll('_', ' ')
  return ` of ${article(name)} ${name}`
}

/** Plural as words, without the prefix `admin/`: `admin/keys` gives `keys`. */
function plainly(plural: string): string {
  return plural.replace(/^admin\//, '').replaceAll('_', ' ')
}

function article(name: string): string {
  return /^[aeiou]/.test(name) ? 'an' : 'a'
}
