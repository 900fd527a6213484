import type { Model } from '../../../model/model.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { headingHtml } from '../elements/list-html.js'
import { listPath } from '../elements/object-path.js'
import { listHeading } from '../lists/list-heading.js'
import { listPage } from '../lists/list-page.js'
import { objectPage } from './object-page.js'

/** Read-only pages derived from the declarations: a list for each resource, and a page for each object. */
export const derivedPages: ConsolePage = {
  matches: () => true,
  async get(request) {
    const { app } = request.visitor
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

/** The resource that a path names, by its name in the console or in the API, and the path segments after that name. */
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
