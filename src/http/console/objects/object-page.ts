import type { ResourceModel } from '../../../model/resource-model.js'
import type { Field, Fields } from '../../../schema/field.js'
import { isObject, type Json, type JsonObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { consoleAddress, type Visitor } from '../console-page.js'
import { cardHtml, factsHtml, type ShownFact, trailHtml } from '../elements/facts.js'
import { headingHtml } from '../elements/list-html.js'
import { listPath } from '../elements/object-path.js'
import { fieldLabel, plainText, type ValueContext, valueHtml, wordHtml } from '../elements/value.js'
import { activityOf } from '../lists/activity-list.js'
import { objectElsewhere } from '../lists/elsewhere-of.js'
import { namesIn, valueContextOf } from '../lists/value-context.js'
import type { ObjectPage, ObjectVisit } from './resource-pages.js'

/** The content of an object's page. */
export interface ObjectContent {
  /** Attributes that it reads, besides those returned by default. */
  readonly fields?: (visit: ObjectVisit) => readonly string[]
  /** Whether an unknown id is answered in the words of the core, which name it. */
  readonly namesUnknown?: true
  /** Whether the page is that of an object like this one; always unless given. */
  readonly fits?: (object: JsonObject) => boolean
  readonly title: (object: JsonObject, id: string) => string
  /** Content after the link to the list. */
  readonly body: (object: JsonObject, visit: ObjectVisit) => Promise<Html>
}

/** The page of an object: a link back to its list, and its content. */
export function objectPage({ fields, namesUnknown, fits, title, body }: ObjectContent): ObjectPage {
  return async (visit) => {
    const { request, resource, id, list } = visit
    const more = fields?.(visit) ?? []
    const answer = await request.ask('GET', `/${resource.plural}/${encodeURIComponent(id)}`, {
      query: more.length > 0 ? [['fields', ['*', ...new Set(more)].join()]] : [],
    })
    if (answer.status === 404 && !namesUnknown) return { kind: 'missing' }
    if (answer.status !== 200) return { kind: 'refused', answer }
    const object = answer.body
    if (fits?.(object) === false) return { kind: 'missing' }
    const address = pageAddress(consoleAddress(request.visitor.environment, list.path))
    return {
      kind: 'page',
      title: title(object, id),
      body: html`${trailHtml(html`<a href="${address}">${list.heading}</a>`)}
${await body(object, visit)}`,
      elsewhere: objectElsewhere(request.visitor, resource, id),
    }
  }
}

/** The page of any object: its attributes, links to lists of objects that refer to it, and its activity. */
export const derivedObject: ObjectPage = objectPage({
  title: nameOf,
  body: async (object, { request, resource, id }) => {
    const context = valueContextOf(request.visitor, await namesIn(request, object))
    return html`${headingHtml(html`<bdi>${nameOf(object, id)}</bdi> ${statusHtml(object)}`, idLead(id))}
<div class="cards">
${cardHtml(undefined, factsHtml(objectFacts(resource, object, context)), 'wide')}
</div>
${relatedHtml(request.visitor, resource, id)}
${await activityOf(request, id)}`
  },
})

/** Name of an object for people: its name, number or description, or else its kind and id. */
function nameOf({ name, number, description, object }: JsonObject, id: string): string {
  const [called] = [name, number, description].filter((text) => typeof text === 'string' && text !== '')
  return called === undefined ? `${fieldLabel(plainText(object ?? ''))} ${id}` : plainText(called)
}

/** The status of an object, beside its heading. */
export function statusHtml({ status }: JsonObject): Html | undefined {
  return typeof status === 'string' ? wordHtml(status) : undefined
}

/** The whole id of an object, below its heading. */
export function idLead(id: string): Html {
  return html`<span class="id" data-copy="">${id}</span>`
}

/** Links to the lists of objects that refer to this object. */
function relatedHtml({ environment }: Visitor, resource: ResourceModel, id: string): Html | undefined {
  const links = Object.entries(resource.attributes).flatMap(([name, field]) => {
    if (field.kind !== 'many') return []
    const target = resource.model.find(field.to)
    if (!target || !Object.hasOwn(target.attributes, field.by)) return []
    const address = consoleAddress(environment, listPath(target), [[field.by, id]])
    return [
      html`<li><a href="${pageAddress(address)}">${fieldLabel(name)}</a> <span class="faint">${field.doc}</span></li>
`,
    ]
  })
  return links.length === 0 ? undefined : cardHtml('Lists', html`<ul>${links}</ul>`)
}

/** The attributes of an object as facts, in the order of its declaration. A group is shown as facts within a fact. */
function objectFacts(
  resource: ResourceModel,
  object: JsonObject,
  context: ValueContext,
): readonly ShownFact[] {
  const shown = Object.entries(resource.attributes).filter(([name]) => name !== 'id' && name !== 'object')
  return factsOf(Object.fromEntries(shown), object, context)
}

function factsOf(fields: Fields, object: JsonObject, context: ValueContext): readonly ShownFact[] {
  return Object.entries(fields).map(([name, field]): ShownFact => {
    const given = isRepeated(fields, name, object) ? undefined : object[name]
    return [fieldLabel(name), factHtml(given, field, context)]
  })
}

/** Whether an attribute is only the id of an object that is shown too: `customer` says more than `customer_id`. */
function isRepeated(fields: Fields, name: string, object: JsonObject): boolean {
  const related = name.replace(/_id$/, '')
  return related !== name && fields[related]?.kind === 'one' && isObject(object[related])
}

function factHtml(value: Json | undefined, field: Field, context: ValueContext): Html | undefined {
  if (field.kind === 'group')
    return isObject(value) && hasValue(value) ? factsHtml(factsOf(field.fields, value, context)) : undefined
  if (field.kind === 'many' || (Array.isArray(value) && value.length === 0)) return undefined
  if (isObject(value) && Object.keys(value).length === 0) return undefined
  return valueHtml(value, field, context)
}

function hasValue(value: Json | undefined): boolean {
  return isObject(value) ? Object.values(value).some(hasValue) : value !== null && value !== undefined
}
