import type { QueryPair } from '../../../engine/core/request/request.js'
import { objectsIn } from '../../../schema/answer-values.js'
import { isObject, type Json } from '../../../schema/json.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleRequest, consoleAddress, type Visitor } from '../console-page.js'
import { listPath } from '../elements/object-path.js'
import type { ValueContext } from '../elements/value.js'

/** Context for showing values to a visitor: the time zone, and the pages and names of other objects. */
export function valueContextOf(
  { app, environment, zone }: Visitor,
  names: ValueContext['names'] = new Map(),
): ValueContext {
  return {
    zone,
    names,
    searchOf: (id) => pageAddress(consoleAddress(environment, ['search'], [['q', id]])),
    addressOf(name, id) {
      const resource = app.model.find(name)
      return resource && pageAddress(consoleAddress(environment, [...listPath(resource), id]))
    },
  }
}

/** Kinds of objects that pages show by name, with the attribute that holds the name. */
const NAMED = [
  { prefix: 'oper_', path: '/admin/operators', attribute: 'name' },
  { prefix: 'acct_', path: '/accounts', attribute: 'name' },
  { prefix: 'key_', path: '/admin/keys', attribute: 'description' },
] as const

/** Maximum number of objects of a kind whose names are looked up for a page; others are shown by id. */
const MAX_NAMES = 100

/** Names of the people, accounts and keys whose ids appear anywhere in answers of the API. */
export async function namesIn(
  request: ConsoleRequest,
  ...answers: readonly Json[]
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(answers.flatMap(textsIn))]
  const found = await Promise.all(
    NAMED.map(async ({ prefix, path, attribute }) => {
      const ofKind = ids.filter((id) => id.startsWith(prefix)).slice(0, MAX_NAMES)
      if (ofKind.length === 0) return []
      const query: QueryPair[] = [
        ['id', ofKind.join('|')],
        ['fields', `id,${attribute}`],
        ['limit', String(MAX_NAMES)],
      ]
      const rows = objectsIn((await request.ask('GET', path, { query })).body)
      return rows.map((row): [string, string] => [String(row['id']), String(row[attribute] ?? '')])
    }),
  )
  return new Map(found.flat().filter(([, name]) => name !== ''))
}

/** All texts in a value that have the form of an id. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return /^[a-z]+_[0-9A-Za-z]+$/.test(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}
