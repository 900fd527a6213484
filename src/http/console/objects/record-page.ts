import type { QueryPair } from '../../../engine/core/request/request.js'
import { objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import { cardHtml, factsHtml, type ShownFact } from '../elements/facts.js'
import { headingHtml, tableHtml } from '../elements/list-html.js'
import { amountShown, fieldLabel, valueHtml, valueIn } from '../elements/value.js'
import { activityOf } from '../lists/activity-list.js'
import { filteredField } from '../lists/list-filters.js'
import { attributeCell, columnHead } from '../lists/list-rows.js'
import { namesIn, valueContextOf } from '../lists/value-context.js'
import { writeLinkAt, writeLinks, writesBelow } from '../write/write-links.js'
import { idLead, objectPage, statusHtml } from './object-page.js'
import { type ObjectPage, type ObjectVisit, type PageLink, pageLinks } from './resource-pages.js'

/** A list on the page of an object, as plain data. */
export interface RelatedList {
  readonly title: string
  /** Path of the API, where `:id` is the object's: `/customers/:id/payment_methods`. */
  readonly path: string
  /** Filters and order, where `:id` is the object's. */
  readonly query?: Readonly<Record<string, string>>
  /** Name of the resource that is listed. */
  readonly resource: string
  /** Attributes that are shown. */
  readonly columns: readonly string[]
  /** Text for an empty list, about the objects that would appear in it. */
  readonly empty: string
  /** Path segments of the write that each row links to; `:row` is the row's id: `['logs', ':row', 'send']`. */
  readonly rowWrite?: readonly string[]
}

/** The page of one object, as plain data: its facts, and the lists beside it. Its writes are those of the resource. */
export interface RecordPage {
  /** Attribute that is shown as heading; the id if it has no value. */
  readonly heading: string
  /** Attribute of the amount above the facts. */
  readonly sum?: string
  /** Attributes of the facts, in their order. */
  readonly names: readonly string[]
  readonly lists?: readonly RelatedList[]
  /** Pages below this page that are no writes; `path` is the rest of theirs. */
  readonly actions?: readonly PageLink[]
  /** Attributes that are not shown by default, which `extra` reads. */
  readonly fields?: readonly string[]
  /** Content that only this page has, beside the facts. */
  readonly extra?: (object: JsonObject) => Html | undefined
}

/** The page of a single object that shows more than a derived page does. */
export function recordPage(record: RecordPage): ObjectPage {
  const { names, fields = [], lists = [] } = record
  const title = ({ [record.heading]: text }: JsonObject, id: string) =>
    typeof text === 'string' && text !== '' ? text : id
  return objectPage({
    fields: ({ request, writes }) => [
      ...names,
      ...fields,
      ...writesBelow(request.path, writes).flatMap(({ link }) => link?.fields ?? []),
    ],
    namesUnknown: true,
    title,
    body: async (object, visit) => {
      const { request, resource, id, writes } = visit
      const [known, activity, ...related] = await Promise.all([
        namesIn(request, object),
        activityOf(request, id),
        ...lists.map((list) => relatedHtml(visit, list)),
      ])
      const context = valueContextOf(request.visitor, known)
      const facts = names.map(
        (name): ShownFact => [
          fieldLabel(name),
          valueHtml(valueIn(object, name), filteredField(resource, name), context),
        ],
      )
      const actions = (record.actions ?? []).map((action) => ({
        ...action,
        path: [...request.path, ...action.path],
      }))
      const extra = record.extra?.(object)
      return html`${headingHtml(html`<bdi>${title(object, id)}</bdi> ${statusHtml(object)}`, idLead(id), [
        ...writeLinks(request, writesBelow(request.path, writes), object),
        ...pageLinks(request, actions),
      ])}
<div class="cards">
${cardHtml(undefined, html`${sumHtml(record, object)}${factsHtml(facts)}`, extra ? undefined : 'wide')}${extra}</div>
${related}${activity}`
    },
  })
}

/** The most important amount of the object, above its facts. */
function sumHtml({ sum }: RecordPage, object: JsonObject): Html | undefined {
  const amount = sum === undefined ? undefined : object[sum]
  return sum === undefined || amount == null
    ? undefined
    : html`<p class="sum">${amountShown(amount)} <small>${fieldLabel(sum)}</small></p>
`
}

async function relatedHtml({ request, id, writes }: ObjectVisit, list: RelatedList): Promise<Html> {
  const { title, columns, rowWrite } = list
  const resource = request.visitor.app.model.get(list.resource)
  const path = list.path.replace(':id', encodeURIComponent(id))
  const query = Object.entries(list.query ?? {}).map(
    ([name, value]): QueryPair => [name, value.replace(':id', id)],
  )
  const fields: QueryPair = ['fields', ['id', ...columns].join()]
  const answer = await request.ask('GET', path, { query: [...query, fields] })
  const heading = html`<h2>${title}</h2>
`
  if (answer.status !== 200)
    return html`${heading}<p class="faint">${String(answer.body['error_description'])}</p>`
  const rows = objectsIn(answer.body)
  if (rows.length === 0)
    return html`${heading}<p class="faint">${list.empty}</p>
`
  const context = valueContextOf(request.visitor, await namesIn(request, ...rows))
  const listed = { options: { resource, heading: title }, request }
  const linkOf = ({ id: row }: JsonObject) =>
    rowWrite &&
    writeLinkAt(
      request,
      writes,
      rowWrite.map((segment) => (segment === ':row' ? String(row) : segment)),
    )
  const hasLinks = rows.some((row) => linkOf(row) !== undefined)
  return html`${heading}${tableHtml({
    id: `list-${title.toLowerCase().replaceAll(' ', '-')}`,
    caption: title,
    columns: [...columns.map((name) => columnHead(resource, name)), ...(hasLinks ? [{ label: '' }] : [])],
    rows: rows.map((row) => [
      ...columns.map((name, index) =>
        attributeCell({ table: listed, context, row, name, isFirst: index === 0 }),
      ),
      ...(hasLinks ? [linkOf(row)] : []),
    ]),
  })}`
}
