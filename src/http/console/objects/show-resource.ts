import type { Model } from '../../../model/model.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleAnswer, type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { headingHtml } from '../elements/list-html.js'
import { listHeading, listPath } from '../elements/object-path.js'
import { listPage } from '../lists/list-page.js'
import { writeLinks, writesBelow } from '../write/write-links.js'
import { writePage } from '../write/write-page.js'
import { derivedObject } from './object-page.js'
import { pageLinks, type ResourcePages } from './resource-pages.js'

/** The pages of a resource. Those of its writes come first, because a word such as `new` is no id. */
export function resourcePages(declared: ResourcePages): readonly ConsolePage[] {
  const { at, writes = [] } = declared
  return [
    ...writes.map(writePage),
    {
      matches: (path) =>
        path.length - at.length <= 1 && at.every((segment, index) => segment === path[index]),
      get: (request) => show(declared, request, request.path.slice(at.length)),
    },
  ]
}

/** Pages of all other resources, which follow from the declarations: a list, and a page for each object. */
export const derivedPages: ConsolePage = {
  matches: () => true,
  async get(request) {
    const found = resourceAt(request.visitor.app.model, request.path)
    return found ? await show(derived(found.resource), request, found.rest) : { kind: 'missing' }
  },
}

async function show(
  { resource: name, at, list, object = derivedObject, writes = [] }: ResourcePages,
  request: ConsoleRequest,
  [id, ...beyond]: readonly string[],
): Promise<ConsoleAnswer> {
  if (beyond.length > 0) return { kind: 'missing' }
  const resource = request.visitor.app.model.get(name)
  if (id !== undefined) {
    const heading = list.trail ?? list.heading
    return await object({ request, resource, id, list: { heading, path: at }, writes })
  }
  const { links = [], first, above, ...options } = list
  const isFirst = request.query.length === 0 && first !== undefined
  return await listPage(isFirst ? { ...request, query: first.query } : request, {
    ...options,
    ...(isFirst && { unmatched: first.unmatched }),
    ...(above && { above: await above(request) }),
    resource,
    actions: [...pageLinks(request, links), ...writeLinks(request, writesBelow(request.path, writes))],
  })
}

function derived(resource: ResourceModel): ResourcePages {
  const heading = listHeading(resource)
  const { name, plural, summary, refuses, admin } = resource
  return {
    resource: name,
    at: listPath(resource),
    list: {
      heading,
      lead: summary,
      empty: {
        what: `No ${heading.toLowerCase()} yet. ${summary}`,
        ...(refuses?.POST === undefined &&
          !admin && { command: `payctl ${plural.replaceAll('_', '-')} create --help` }),
      },
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
