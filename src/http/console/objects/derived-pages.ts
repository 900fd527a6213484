import type { QueryPair } from '../../../engine/core/request/request.js'
import type { Model } from '../../../model/model.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { headingHtml } from '../../views/console/list-html.js'
import { listPath } from '../../views/console/object-path.js'
import { html } from '../../views/html.js'
import { pageAddress } from '../../views/page-address.js'
import { type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { listHeading } from '../lists/list-heading.js'
import { listPage } from '../lists/list-page.js'
import { objectPage } from './object-page.js'

/** Lists of a part of a resource, under a name of their own. */
const PARTS: Readonly<Record<string, PartOfResource>> = {
  deposits: {
    resource: 'transaction',
    preset: [['type', 'deposit|reversal']],
    what: 'Deposits appear here when a business day with payments has ended.',
    command: 'payctl funding run',
  },
  disputes: {
    resource: 'transaction',
    preset: [['type', 'chargeback|chargeback_reversal']],
    what: 'Disputes appear here when a bank takes a payment back.',
  },
}

interface PartOfResource {
  readonly resource: string
  readonly preset: readonly QueryPair[]
  readonly what: string
  readonly command?: string
}

/** The pages that follow from the declarations: a list of each resource, and each object. They change nothing. */
export const derivedPages: ConsolePage = {
  matches: () => true,
  async get(request) {
    const { app } = request.visitor
    const [first = '', id, ...more] = request.path
    const part = Object.hasOwn(PARTS, first) ? PARTS[first] : undefined
    if (part && more.length === 0) {
      const resource = app.model.get(part.resource)
      if (id !== undefined) return await objectPage(request, resource, id)
      const { preset, what, command } = part
      return await listPage(request, {
        resource,
        heading: listHeading({ plural: first }),
        preset,
        empty: { what, ...(command !== undefined && { command }) },
      })
    }
    const found = resourceAt(app.model, request.path)
    if (!found) return { kind: 'missing' }
    const { resource, rest } = found
    const [object, ...beyond] = rest
    if (beyond.length > 0) return { kind: 'missing' }
    if (object !== undefined) return await objectPage(request, resource, object)
    return await listPage(request, derivedList(resource))
  },
}

function derivedList(resource: ResourceModel) {
  const heading = listHeading(resource)
  return {
    resource,
    heading,
    lead: resource.summary,
    empty: {
      what: `No ${heading.toLowerCase()} yet. ${resource.summary}`,
      ...(resource.refuses?.POST === undefined &&
        !resource.admin && { command: `payctl ${resource.plural.replaceAll('_', '-')} create --help` }),
    },
  }
}

/** The resource of a path, by the console's name or by the interface's, and the segments after it. */
function resourceAt(
  model: Model,
  path: readonly string[],
): { readonly resource: ResourceModel; readonly rest: readonly string[] } | undefined {
  for (const resource of model.all)
    for (const names of [listPath(resource), resource.plural.split('/')])
      if (names.every((name, index) => path[index] === name))
        return { resource, rest: path.slice(names.length) }
  return undefined
}

/** The page of all lists that follow from the declarations. */
export const objectsPage: ConsolePage = {
  matches: ([first, ...more]) => first === 'objects' && more.length === 0,
  get: async ({ visitor: { app, environment } }: ConsoleRequest) => ({
    kind: 'page',
    title: 'All objects',
    body: html`${headingHtml('All objects', 'Every kind of object of this environment.')}
<dl class="facts card">
${app.model.all.map(
  (resource) =>
    html`<dt><a href="${pageAddress(consoleAddress(environment, listPath(resource)))}">${listHeading(resource)}</a></dt><dd>${resource.summary}</dd>
`,
)}</dl>`,
  }),
}
