import type { ResourceModel } from '../../../model/resource-model.js'
import type { JsonObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleAnswer, type ConsoleRequest, consoleAddress, type Visitor } from '../console-page.js'
import { cardHtml, factsHtml, trailHtml } from '../elements/facts.js'
import { headingHtml } from '../elements/list-html.js'
import { listPath } from '../elements/object-path.js'
import { fieldLabel, plainText, wordHtml } from '../elements/value.js'
import { activityOf } from '../lists/activity-of.js'
import { objectElsewhere } from '../lists/elsewhere-of.js'
import { listHeading } from '../lists/list-heading.js'
import { namesIn } from '../lists/names-in.js'
import { valueContextOf } from '../lists/value-context.js'
import { objectFacts } from './declared-facts.js'

/** The page of any object: its attributes, links to lists of objects that refer to it, and its activity. */
export async function objectPage(
  request: ConsoleRequest,
  resource: ResourceModel,
  id: string,
): Promise<ConsoleAnswer> {
  const { visitor } = request
  const answer = await request.ask('GET', `/${resource.plural}/${encodeURIComponent(id)}`)
  if (answer.status === 404) return { kind: 'missing' }
  if (answer.status !== 200) return { kind: 'refused', answer }
  const object = answer.body
  const name = nameOf(object, id)
  const context = valueContextOf(visitor, await namesIn(request, object))
  const list = pageAddress(consoleAddress(visitor.environment, listPath(resource)))
  const body = html`${trailHtml(html`<a href="${list}">${listHeading(resource)}</a>`)}
${headingHtml(html`<bdi>${name}</bdi> ${statusHtml(object)}`, html`<span class="id" data-copy="">${id}</span>`)}
<div class="cards">
${cardHtml(undefined, factsHtml(objectFacts(resource, object, context)), 'wide')}
</div>
${relatedHtml(visitor, resource, id)}
${await activityOf(request, id)}`
  return { kind: 'page', title: name, body, elsewhere: objectElsewhere(visitor, resource, id) }
}

/** Name of an object for people: its name, number or description, or else its kind and id. */
function nameOf({ name, number, description, object }: JsonObject, id: string): string {
  const [called] = [name, number, description].filter((text) => typeof text === 'string' && text !== '')
  return called === undefined ? `${fieldLabel(plainText(object ?? ''))} ${id}` : plainText(called)
}

function statusHtml({ status }: JsonObject): Html | undefined {
  return typeof status === 'string' ? wordHtml(status) : undefined
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
