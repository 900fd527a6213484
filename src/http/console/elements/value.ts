import { localTime } from '../../../platform/calendar/local-time.js'
import { parseName } from '../../../schema/attribute-name.js'
import type { Field, IntegerField } from '../../../schema/field.js'
import { isObject, type Json, type JsonObject } from '../../../schema/json.js'
import { formatMoney, moneyWithCurrency, parseMoney } from '../../../schema/money.js'
import { statusTone } from '../../../schema/status-tone.js'
import { element, type Html, html } from '../../html/html.js'
import { type PageAddress, pageAddress } from '../../html/page-address.js'

/** Context for showing values, besides their declared fields. */
export interface ValueContext {
  /** Time zone of datetimes. */
  readonly zone: string
  /** Address of the page of an object, by the `object` name of its resource; undefined where there is none. */
  readonly addressOf: (resource: string, id: string) => PageAddress | undefined
  /** Address of the search for an id whose kind of object is not known. */
  readonly searchOf: (id: string) => PageAddress
  /** Names of people, accounts and keys, by id. The names are shown in place of the ids. */
  readonly names: ReadonlyMap<string, string>
}

/** Maximum number of characters of a text in a table; a tooltip has the whole text. */
const LONG = 60

/** Value of a field, formatted for people; undefined for null and for empty text. */
export function valueHtml(
  value: Json | undefined,
  field: Field | undefined,
  context: ValueContext,
): Html | undefined {
  if (value === null || value === undefined || value === '') return undefined
  switch (field?.kind) {
    case 'money':
      return html`${amountShown(value)}`
    case 'integer':
      return html`${integerText(value, field)}`
    case 'flag':
      return html`${value === true ? 'yes' : 'no'}`
    case 'one_of':
    case 'alias':
    case 'derived':
    case 'constant':
      return wordHtml(plainText(value))
    case 'date':
      return html`<time datetime="${plainText(value)}">${plainText(value)}</time>`
    case 'datetime':
      return momentHtml(plainText(value), context.zone)
    case 'ref':
      return namedHtml(plainText(value), context.addressOf(field.to, plainText(value)), context)
    case 'id':
      return idHtml(plainText(value))
    case 'address':
      return field.shows === 'end' ? momentHtml(plainText(value), context.zone) : urlHtml(plainText(value))
    case 'one':
      return isObject(value) ? relatedHtml(value, field.to, context) : html`${plainText(value)}`
    default:
      if (typeof value === 'string' && hasIdForm(value))
        return namedHtml(value, context.searchOf(value), context)
      return typeof value === 'object' ? treeHtml(value, context) : html`<bdi>${plainText(value)}</bdi>`
  }
}

/** Whether a text has the form of an id. */
export function hasIdForm(text: string): boolean {
  return /^[a-z]+_[0-9A-Za-z]{22}$/.test(text)
}

/** An amount of the API with its currency, as `$1,234.50`. */
export function amountShown(value: Json): string {
  const minor = typeof value === 'number' || typeof value === 'string' ? parseMoney(value) : undefined
  return minor === undefined ? plainText(value) : moneyWithCurrency(minor)
}

/** An id, shortened to its beginning and its end; the link and the tooltip have the whole id. */
export function idHtml(id: string, address?: PageAddress): Html {
  const [, prefix, end] = /^([a-z]+_)[0-9A-Za-z]+([0-9A-Za-z]{4})$/.exec(id) ?? []
  const short = prefix === undefined ? id : `${prefix}…${end}`
  return element(address === undefined ? 'span' : 'a', { class: 'id', href: address, title: id }, short)
}

/** The name of an object, or else its id. */
export function namedHtml(id: string, address: PageAddress | undefined, { names }: ValueContext): Html {
  const name = names.get(id)
  if (name === undefined) return idHtml(id, address)
  return element(address === undefined ? 'span' : 'a', { href: address, title: id }, html`<bdi>${name}</bdi>`)
}

/** A word of the declarations, as a badge where it is a status. */
export function wordHtml(word: string): Html {
  const tone = statusTone(word)
  const text = word.replaceAll('_', ' ')
  return tone === undefined ? html`${text}` : html`<span class="badge ${tone}">${text}</span>`
}

/** A datetime of the API, shown in a time zone. The page's script then shows it in the zone of the browser. */
export function momentHtml(text: string, zone: string): Html {
  const local = localTime(text, zone)
  if (!local) return html`${text}`
  const { date, time, zone: name } = local
  return html`<time datetime="${`${text.replace(' ', 'T')}Z`}">${date} ${time.slice(0, 5)} ${name}</time>`
}

/** A text in which datetimes of the API are shown in a time zone. */
export function momentsHtml(text: string, zone: string): Html {
  const parts = text.split(/(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC/)
  return html`${parts.map((part, index) => (index % 2 === 1 ? momentHtml(part, zone) : part))}`
}

/** Text by payers, merchants or gateways, isolated because its direction of writing may differ. */
export function bdiHtml(text: string | undefined): Html | undefined {
  return text === undefined || text === '' ? undefined : html`<bdi>${text}</bdi>`
}

/** A text in a table cell, cut if it is long. */
export function cutHtml(text: string): Html {
  return text.length <= LONG
    ? html`<bdi>${text}</bdi>`
    : html`<bdi class="long" title="${text}">${text}</bdi>`
}

/** JSON without a declaration, as a tree. */
function treeHtml(value: Json, context: ValueContext): Html {
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<span class="faint">none</span>`
    if (value.every((item) => typeof item !== 'object'))
      return html`<bdi>${value.map((item) => textOf(item, context)).join(', ')}</bdi>`
    return html`<ol class="tree">${value.map((item) => html`<li>${treeHtml(item, context)}</li>`)}</ol>`
  }
  if (!isObject(value)) return html`<bdi>${value === null ? 'null' : textOf(value, context)}</bdi>`
  const entries = Object.entries(value)
  if (entries.length === 0) return html`<span class="faint">none</span>`
  return html`<dl class="facts">${entries.map(
    ([name, inner]) => html`<dt><bdi>${name}</bdi></dt><dd>${treeHtml(inner, context)}</dd>`,
  )}</dl>`
}

/** The text of a value without a declaration; for a known id, the name. */
function textOf(value: Json, { names }: ValueContext): string {
  const text = plainText(value)
  return names.get(text) ?? text
}

/** A related object: its name, or else its id, with a link to its page. */
function relatedHtml(object: JsonObject, resource: string, { addressOf }: ValueContext): Html {
  const { id, name, description } = object
  const address = typeof id === 'string' ? addressOf(resource, id) : undefined
  const label = [name, description, id].find((text) => typeof text === 'string' && text !== '')
  if (label === id || label === undefined) return idHtml(plainText(id ?? ''), address)
  return element(
    address === undefined ? 'span' : 'a',
    { href: address },
    html`<bdi>${plainText(label)}</bdi>`,
  )
}

/** An address from a merchant or a gateway, as a link if it begins with `http:` or `https:`. */
export function urlHtml(text: string, label = text): Html {
  if (!/^https?:\/\/[^\s\p{Cc}]+$/u.test(text)) return html`<bdi>${text}</bdi>`
  return html`<a href="${pageAddress(text)}">${label}</a>`
}

function integerText(value: Json, { unit, zero }: IntegerField): string {
  if (value === 0 && zero !== undefined) return zero
  return unit === undefined ? plainText(value) : `${plainText(value)} ${unit}`
}

/** Text of a value without a declaration. */
export function plainText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The value of an attribute by its name in bracket form. In grouped lists, the whole name is one key of the row. */
export function valueIn(row: JsonObject, name: string): Json | undefined {
  if (row[name] !== undefined) return row[name]
  let value: Json | undefined = row
  for (const part of parseName(name) ?? []) value = isObject(value) ? value[part] : undefined
  return value
}

/** A value in a CSV file. */
export function csvCell(value: Json | undefined, isMoney: boolean): string {
  if (value === null || value === undefined) return ''
  const minor =
    isMoney && (typeof value === 'number' || typeof value === 'string') ? parseMoney(value) : undefined
  return minor === undefined ? plainText(value) : formatMoney(minor)
}

/** Words for an attribute, from its name in bracket form: `customer[name]` is the customer. */
export function fieldLabel(name: string): string {
  const path = name.replaceAll(']', '').split('[')
  const last = path.at(-1) ?? name
  const shown = path.length > 1 && ['name', 'description'].includes(last) ? path.slice(0, -1) : path
  const words = shown
    .join(' ')
    .replaceAll('_', ' ')
    .replace(/ (id|at|timestamp)$/, '')
  return LABELS[words] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** Labels of attributes whose names say too little. */
const LABELS: Readonly<Record<string, string>> = {
  id: 'Id',
  url: 'Address',
  email: 'E-mail',
  qty: 'Quantity',
  hint: 'Secret',
  manage: 'Manages the service',
  proof: 'Proved by',
  seen: 'Last seen',
  'limit each': 'Limit a payment',
  'limit day': 'Limit a day',
  'has password': 'Password',
  'has second factor': 'Second factor',
  'funding status': 'Deposit',
  'status message': 'What happened',
  'ref number': 'Reference',
  'payment method last four': 'Last four digits',
  'default payment method': 'Default',
  'recurring frequency': 'How often',
  'start date': 'Starts',
  'end date': 'Ends',
  'due date': 'Due',
  'incurred date': 'Day',
  'total due': 'Total',
  'total paid': 'Paid',
  'amount due': 'Still due',
  'collect on': 'Is collected',
  'http status': 'Answer',
  'triggered on': 'Object',
  'triggered on value': 'Event',
  'previous secret until': 'Old secret works until',
  'processing industry': 'Industry',
  'is default': 'Default account',
  processing: 'Processing account',
  'processing ids': 'Processing accounts',
  'base url': 'Address of its requests',
  attrs: 'Custom attributes',
  'primary processing': 'Processing account',
}
