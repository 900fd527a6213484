import { objectsIn } from '../../../schema/answer-values.js'
import { isObject, type JsonObject } from '../../../schema/json.js'
import { amountIn, moneyWithCurrency } from '../../../schema/money.js'
import { type Html, html } from '../../html/html.js'
import type { ConsoleRequest } from '../console-page.js'
import { cardHtml } from '../elements/facts.js'
import { fieldLabel, hasIdForm, idHtml, namedHtml, plainText, type ValueContext } from '../elements/value.js'
import { rowsHtml } from './list-rows.js'

/** The activity list: who changed which object, with the values before and after. */
export const ACTIVITY_LIST = {
  heading: 'Activity',
  lead: 'Who did what: a line for every change, kept for good.',
  columns: ['created_at', 'by_id', 'through', 'action', 'amount', 'object_id', 'before', 'reason'],
  also: ['by', 'operator_id', 'after', 'outcome'],
  labels: { created_at: 'When', by_id: 'Who', object_id: 'Object', before: 'Before and after' },
  cells: {
    by_id: whoHtml,
    action: actionHtml,
    object_id: objectHtml,
    before: changesHtml,
  },
  empty: { what: 'Every change of an object appears here, with who made it.' },
}

/** Author of a change: an operator or a key by name, or the part of payctl that made the change. */
function whoHtml({ by, by_id, operator_id }: JsonObject, context: ValueContext): Html {
  const id = plainText(operator_id ?? by_id ?? by ?? '')
  switch (by) {
    case 'operator':
      return id === 'owner' ? html`the owner` : namedHtml(id, context.addressOf('operator', id), context)
    case 'key':
      return html`key ${namedHtml(id, context.addressOf('api_key', id), context)}`
    case 'system':
      return id === by ? html`payctl` : html`payctl, <bdi>${id.replaceAll('_', ' ')}</bdi>`
    default:
      return html`${plainText(by ?? '')} ${id === by ? undefined : idHtml(id)}`
  }
}

/** The changed object. The action names its kind after the verb: `create payment_link`. */
function objectHtml({ action, object_id: id }: JsonObject, context: ValueContext): Html | undefined {
  if (typeof id !== 'string') return undefined
  const [, ...words] = plainText(action ?? '').split(' ')
  return namedHtml(id, context.addressOf(words.join('_'), id), context)
}

/** The action in words, as `create payment link`. */
function actionHtml({ action }: JsonObject): Html {
  return html`<bdi>${plainText(action ?? '').replaceAll('_', ' ')}</bdi>`
}

/** Each attribute that changed, with its value before and after. */
function changesHtml({ before, after }: JsonObject, context: ValueContext): Html | undefined {
  const old = isObject(before) ? before : {}
  const now = isObject(after) ? after : {}
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  if (names.length === 0) return undefined
  return html`<ul class="changes">${names.map(
    (name) => html`<li>${attributeHtml(name)} ${changeOf({ name, old, now, context })}</li>`,
  )}</ul>`
}

/** Label of a changed attribute. If it belongs to another object, that object's id comes first: `txn_….fee`. */
function attributeHtml(name: string): Html {
  const [, id, attribute = name] = /^([a-z]+_[0-9A-Za-z]+)\.(.+)$/.exec(name) ?? []
  return html`${id === undefined ? undefined : idHtml(id)} <bdi>${fieldLabel(attribute)}</bdi>`
}

interface Change {
  readonly name: string
  readonly old: JsonObject
  readonly now: JsonObject
  readonly context: ValueContext
}

function changeOf({ name, old, now, context }: Change): Html {
  const text = (values: JsonObject) => {
    const value = values[name]
    if (value === null || value === undefined) return 'none'
    const minor =
      typeof value === 'number' && /amount|fee|limit|due|sum/.test(name) ? amountIn(value) : undefined
    if (minor !== undefined) return moneyWithCurrency(minor)
    if (Array.isArray(value))
      return value.map((item) => context.names.get(plainText(item)) ?? plainText(item)).join(', ')
    if (typeof value !== 'string') return plainText(value)
    return hasIdForm(value) ? namedHtml(value, undefined, context) : value.replaceAll('_', ' ')
  }
  return Object.hasOwn(old, name)
    ? html`<span class="faint">${text(old)}</span> → ${text(now)}`
    : html`${text(now)}`
}

/** Lines of activity that the page of an object shows. */
const MAX_LINES = 20

/** Card with the activity of an object, newest first; undefined if there is none that the visitor may see. */
export async function activityOf(request: ConsoleRequest, id: string): Promise<Html | undefined> {
  const options = { ...ACTIVITY_LIST, resource: request.visitor.app.model.get('activity') }
  const columns = options.columns.filter((name) => name !== 'object_id')
  const answer = await request.ask('GET', `/${options.resource.plural}`, {
    query: [
      ['object_id', id],
      ['fields', ['id', ...columns, ...options.also].join()],
      ['limit', String(MAX_LINES)],
    ],
  })
  const rows = objectsIn(answer.body)
  if (rows.length === 0) return undefined
  const plain = { ...request, path: ['activity'], query: [] }
  const table = { id: 'activity', columns, options, request: plain }
  return cardHtml('Activity', await rowsHtml(table, rows, false))
}
