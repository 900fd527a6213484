import type { QueryPair } from '../../../engine/core/request/request.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { JsonObject } from '../../../schema/json.js'
import { reaches } from '../../../schema/role.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleAnswer, type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { cardHtml, factsHtml, type ShownFact, trailHtml } from '../elements/facts.js'
import { actionLink, headingHtml, tableHtml } from '../elements/list-html.js'
import { amountShown, fieldLabel, valueHtml, wordHtml } from '../elements/value.js'
import { activityOf } from '../lists/activity-of.js'
import { objectElsewhere } from '../lists/elsewhere-of.js'
import { objectsOf, valueIn } from '../lists/list-answer.js'
import { filteredField } from '../lists/list-filters.js'
import { attributeCell } from '../lists/list-rows.js'
import { namesIn } from '../lists/names-in.js'
import { valueContextOf } from '../lists/value-context.js'
import { offersBelow } from '../offers/offers.js'
import { offerLink, offerLinks } from './offer-links.js'
import { payerRecords } from './payer-records.js'
import type { RecordPage, RelatedList } from './record.js'
import { settingsRecords } from './settings-records.js'

const RECORDS: readonly RecordPage[] = [...payerRecords, ...settingsRecords]

/** Pages of single objects that show more than the derived pages do. */
export const recordPages: readonly ConsolePage[] = RECORDS.map((record) => ({
  matches: (path) =>
    path.length === record.at.length + 1 && record.at.every((segment, index) => segment === path[index]),
  get: (request) => showRecord(record, request),
}))

async function showRecord(record: RecordPage, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { visitor, path } = request
  const resource = visitor.app.model.get(record.resource)
  const id = path.at(-1) ?? ''
  const found = offersBelow(path)
  const more = [
    ...record.names,
    ...(record.fields ?? []),
    ...found.flatMap(({ offer }) => offer.fields ?? []),
  ]
  const answer = await request.ask('GET', `/${resource.plural}/${encodeURIComponent(id)}`, {
    query: [['fields', ['*', ...new Set(more)].join()]],
  })
  if (answer.status !== 200) return { kind: 'refused', answer }
  const object = answer.body
  const [names, activity, extra, ...lists] = await Promise.all([
    namesIn(request, object),
    activityOf(request, id),
    record.extra?.(request, object),
    ...record.lists.map((list) => relatedHtml(request, list, id)),
  ])
  const context = valueContextOf(visitor, names)
  const heading = headingOf(record, object)
  const offers = found.filter(({ offer }) => offer.when?.(object) ?? true)
  const facts = record.names.map(
    (name): ShownFact => [
      fieldLabel(name),
      valueHtml(valueIn(object, name), filteredField(resource, name), context),
    ],
  )
  const list = pageAddress(consoleAddress(visitor.environment, record.at))
  const body = html`${trailHtml(html`<a href="${list}">${record.title}</a>`)}
${headingHtml(
  html`<bdi>${heading}</bdi> ${statusHtml(object)}`,
  html`<span class="id" data-copy="">${id}</span>`,
  [...offerLinks(request, offers), ...actionLinks(record, request)],
)}
<div class="cards">
${cardHtml(undefined, html`${sumHtml(record, object)}${factsHtml(facts)}`, extra ? undefined : 'wide')}${extra}</div>
${lists}${activity}`
  return { kind: 'page', title: heading, body, elsewhere: objectElsewhere(visitor, resource, id) }
}

/** Links to the pages below this object's page that the visitor's role may open. */
function actionLinks({ actions = [] }: RecordPage, { visitor, path }: ConsoleRequest): readonly Html[] {
  return actions
    .filter(({ least }) => reaches(visitor.principal.role ?? 'owner', least))
    .map(({ last, label }) =>
      actionLink(pageAddress(consoleAddress(visitor.environment, [...path, last])), label),
    )
}

function headingOf({ heading }: RecordPage, object: JsonObject): string {
  const text = object[heading]
  return typeof text === 'string' && text !== '' ? text : String(object['id'])
}

/** The most important amount of the object, above its facts. */
function sumHtml({ sum }: RecordPage, object: JsonObject): Html | undefined {
  const amount = sum === undefined ? undefined : object[sum]
  return sum === undefined || amount == null
    ? undefined
    : html`<p class="sum">${amountShown(amount)} <small>${fieldLabel(sum)}</small></p>
`
}

function statusHtml({ status }: JsonObject): Html | undefined {
  return typeof status === 'string' ? wordHtml(status) : undefined
}

async function relatedHtml(request: ConsoleRequest, list: RelatedList, id: string): Promise<Html> {
  const { app } = request.visitor
  const resource = app.model.get(list.resource)
  const named = (text: string) => text.replace(':id', id)
  const path = list.path.replace(':id', encodeURIComponent(id))
  const query = Object.entries(list.query ?? {}).map(([name, value]): QueryPair => [name, named(value)])
  const fields: QueryPair = ['fields', ['id', ...list.columns].join()]
  const answer = await request.ask('GET', path, { query: [...query, fields] })
  const heading = html`<h2>${list.title}</h2>
`
  if (answer.status !== 200)
    return html`${heading}<p class="faint">${String(answer.body['error_description'])}</p>`
  const rows = objectsOf(answer)
  if (rows.length === 0)
    return html`${heading}<p class="faint">${list.empty}</p>
`
  const context = valueContextOf(request.visitor, await namesIn(request, ...rows))
  const listed = { options: { resource, heading: list.title }, request }
  const offered = ({ id: row }: JsonObject) =>
    list.rowOffer &&
    offerLink(
      request,
      list.rowOffer.map((segment) => (segment === ':row' ? String(row) : segment)),
    )
  const hasOffers = rows.some((row) => offered(row) !== undefined)
  const table = tableHtml({
    id: `list-${list.title.toLowerCase().replaceAll(' ', '-')}`,
    caption: list.title,
    columns: [
      ...list.columns.map((name) => ({ label: fieldLabel(name), isNumber: isNumber(resource, name) })),
      ...(hasOffers ? [{ label: '' }] : []),
    ],
    rows: rows.map((row) => [
      ...list.columns.map((name, index) =>
        attributeCell({ table: listed, context, row, name, isFirst: index === 0 }),
      ),
      ...(hasOffers ? [offered(row)] : []),
    ]),
  })
  return html`${heading}${table}`
}

function isNumber(resource: ResourceModel, name: string): boolean {
  const kind = filteredField(resource, name)?.kind
  return kind === 'money' || kind === 'integer' || kind === 'number'
}
