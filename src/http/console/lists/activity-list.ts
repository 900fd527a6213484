import { isObject, type JsonObject } from '../../../schema/json.js'
import { amountIn, moneyWithCurrency } from '../../../schema/money.js'
import { objectPath } from '../../views/console/object-path.js'
import { idHtml, plainText } from '../../views/console/value.js'
import { type Html, html } from '../../views/html.js'
import { pageAddress } from '../../views/page-address.js'
import { consoleAddress, type Visitor } from '../console-page.js'
import { valueContextOf } from './value-context.js'

/** The list of what was done: by whom, to which object, with what before and after. */
export function activityList(visitor: Visitor) {
  return {
    resource: visitor.app.model.get('activity'),
    heading: 'Activity',
    lead: 'Who did what: a line for every change, kept for good.',
    columns: ['created_at', 'by_id', 'through', 'action', 'amount', 'object_id', 'before', 'reason'],
    also: ['by', 'operator_id', 'after', 'outcome'],
    labels: { by_id: 'Who', object_id: 'Object', before: 'Before and after' },
    cells: {
      by_id: (row: JsonObject) => whoHtml(visitor, row),
      object_id: (row: JsonObject) => objectHtml(visitor, row),
      before: changesHtml,
    },
    empty: { what: 'Every change of an object appears here, with who made it.' },
  }
}

function whoHtml(visitor: Visitor, { by, by_id: id, operator_id: operator }: JsonObject): Html {
  const name = plainText(operator ?? id ?? by ?? '')
  const address =
    typeof operator === 'string' ? valueContextOf(visitor).addressOf('operator', operator) : undefined
  return html`${plainText(by ?? '')} ${name === by ? undefined : idHtml(name, address)}`
}

/** The object, whose kind the action names: `create payment_link`. */
function objectHtml({ app, environment }: Visitor, { action, object_id: id }: JsonObject): Html | undefined {
  if (typeof id !== 'string') return undefined
  const [, ...words] = plainText(action ?? '').split(' ')
  const resource = app.model.find(words.join('_'))
  return idHtml(id, resource && pageAddress(consoleAddress(environment, objectPath(resource, id))))
}

/** Each attribute that changed, with its value before and after. */
function changesHtml({ before, after }: JsonObject): Html | undefined {
  const old = isObject(before) ? before : {}
  const now = isObject(after) ? after : {}
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  if (names.length === 0) return undefined
  return html`<ul class="changes">${names.map(
    (name) => html`<li>${attributeHtml(name)} ${changeOf(name, old, now)}</li>`,
  )}</ul>`
}

/** The name of an attribute; that of another object stands after its id: `txn_….fee`. */
function attributeHtml(name: string): Html {
  const [, id, attribute = name] = /^([a-z]+_[0-9A-Za-z]+)\.(.+)$/.exec(name) ?? []
  return html`${id === undefined ? undefined : idHtml(id)} <bdi>${attribute.replaceAll('_', ' ')}</bdi>`
}

function changeOf(name: string, old: JsonObject, now: JsonObject): Html {
  const text = (values: JsonObject) => {
    const value = values[name]
    if (value === null || value === undefined) return 'none'
    const minor =
      typeof value === 'number' && /amount|fee|limit|due|sum/.test(name) ? amountIn(value) : undefined
    return minor === undefined ? plainText(value).replaceAll('_', ' ') : moneyWithCurrency(minor)
  }
  return Object.hasOwn(old, name)
    ? html`<span class="faint">${text(old)}</span> → ${text(now)}`
    : html`${text(now)}`
}
