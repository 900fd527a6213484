import { component, type Schema } from '../json-schema.js'
import type { Resource } from '../resource.js'
import { GROUPS, plainAnswers } from './answers.js'
import type { DocumentedAction } from './endpoints.js'
import { schemaNames } from './names.js'

/** Answer and headers of a successful operation. */
export interface Success {
  readonly description: string
  readonly body: Schema
  readonly headers: readonly string[]
}

const NESTING = ['Link', 'X-Truncated']
const WRITTEN = ['Idempotent-Replay', 'Preference-Applied', ...NESTING]
const LISTED = ['X-Total-Count', ...NESTING]

/**
 * Success of an operation. Its body has alternatives: without `fields`, then with them. A list that is read
 * may also contain groups.
 */
export function successOf(does: DocumentedAction): Success {
  switch (does.kind) {
    case 'list':
      return {
        description: 'the matching objects, or groups of them',
        body: anyOf([...lists(does.resource), component('schemas', GROUPS)]),
        headers: LISTED,
      }
    case 'get':
      return { description: 'the object', body: anyOf(one(does.resource)), headers: NESTING }
    case 'create':
      return {
        description: 'the created object',
        body: anyOf(one(does.resource)),
        headers: WRITTEN,
      }
    case 'create many':
      return { description: 'the created objects', body: anyOf(lists(does.resource)), headers: WRITTEN }
    case 'update many':
      return { description: 'the updated objects', body: anyOf(lists(does.resource)), headers: WRITTEN }
    case 'delete many':
      return { description: 'the objects as they were', body: anyOf(lists(does.resource)), headers: WRITTEN }
    case 'update':
      return { description: 'the updated object', body: anyOf(one(does.resource)), headers: WRITTEN }
    case 'delete':
      return { description: 'the object as it was', body: anyOf(one(does.resource)), headers: WRITTEN }
    case 'act':
      return { description: 'the result of the action', body: anyOf(one(does.answers)), headers: WRITTEN }
    case 'operate': {
      const { method } = does.operation
      const body = anyOf(plainAnswers(does.operation))
      return { description: 'the result of the operation', body, headers: method === 'GET' ? [] : WRITTEN }
    }
  }
}

function anyOf(schemas: readonly Schema[]): Schema {
  return { anyOf: schemas }
}

function one(resource: Resource): readonly Schema[] {
  const { whole, selection } = schemaNames(resource)
  return [component('schemas', whole), component('schemas', selection)]
}

function lists(resource: Resource): readonly Schema[] {
  const { list, selectionList } = schemaNames(resource)
  return [component('schemas', list), component('schemas', selectionList)]
}
