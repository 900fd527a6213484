import type { ApiResponse, QueryPair } from '../../../engine/core/request/request.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { objectsIn } from '../../../schema/answer-values.js'
import { isObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleAnswer, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { actionLink, headingHtml } from '../elements/list-html.js'
import { fieldLabel, plainText } from '../elements/value.js'
import { listElsewhere } from './elsewhere-of.js'
import { exportList } from './export-list.js'
import { filtersHtml } from './filter-html.js'
import { chipsOf, filterForm, filterNames, filtersAfter } from './list-filters.js'
import type { ListOptions } from './list-options.js'
import { type ListQuery, lastingPairs, nextAfter, PAGE_ROWS, parseListQuery } from './list-query.js'
import { rowsHtml, shownColumns } from './list-rows.js'

/** Id of the table. */
const TABLE = 'list'

/** The page of a list: filters, a table, a link to the next page, and exports. */
export async function listPage(request: ConsoleRequest, options: ListOptions): Promise<ConsoleAnswer> {
  const { resource, heading, lead, preset = [], actions = [] } = options
  const { environment } = request.visitor
  const query = parseListQuery(request.query)
  const address = (pairs: readonly QueryPair[]) => consoleAddress(environment, request.path, pairs)
  if (query.filterBy !== undefined && query.filterValues !== undefined) {
    const filters = filtersAfter(resource, query)
    return { kind: 'see', address: address(lastingPairs({ ...query, filters })) }
  }
  const lasting = lastingPairs(query)
  const listed = { resource, query: [...preset, ...lasting] }
  if (query.as !== undefined) return await exportList(request, listed, query.as)
  const columns = shownColumns(options, query.others)
  const fields: QueryPair[] = isPlain(query.others)
    ? [['fields', ['id', ...columns, ...(options.also ?? [])].join()]]
    : []
  const place: QueryPair[] = query.after === undefined ? [] : [['after', query.after]]
  const limit: QueryPair = ['limit', String(PAGE_ROWS)]
  const answer = await request.ask('GET', `/${resource.plural}`, {
    query: [...listed.query, ...fields, limit, ...place],
  })
  const isRefused = answer.status !== 200
  if (isRefused && query.filters.length === 0) return { kind: 'refused', answer }
  const rows = objectsIn(answer.body)
  const isEmpty = rows.length === 0 && isPristine(query)
  const table = { id: TABLE, columns, options, request }
  const body = html`${headingHtml(heading, lead, actions)}
${options.above}
${isEmpty ? undefined : filterBar(resource, query, address)}
${isRefused ? refusedHtml(answer) : await rowsHtml(table, rows, lasting.length > 0)}
${isRefused || isEmpty ? undefined : pagesHtml(request, lasting, query.after, nextAfter(answer.headers['Link']))}`
  return {
    kind: 'page',
    title: heading,
    body,
    ...(isRefused && { status: answer.status }),
    elsewhere: listElsewhere(request.visitor, resource, listed.query),
  }
}

/** The filters in use, the filters that can be added, and the form of the filter that is being edited. */
function filterBar(
  resource: ResourceModel,
  query: ListQuery,
  address: (pairs: readonly QueryPair[]) => string,
): Html {
  const listAddress = (filters: readonly QueryPair[], more: readonly QueryPair[] = []) =>
    pageAddress(address([...lastingPairs({ ...query, filters }), ...more]))
  const { filterBy } = query
  return filtersHtml({
    chips: chipsOf(query, listAddress),
    attributes: filterNames(resource).map((name) => ({
      label: fieldLabel(name),
      address: listAddress(query.filters, [['filter_by', name]]),
    })),
    form:
      filterBy === undefined ? undefined : filterForm(resource, query, filterBy, pageAddress(address([]))),
    table: TABLE,
  })
}

/** Whether this is the first page, without filters. If it is empty, no filters and exports are offered. */
function isPristine({ filters, others, after, filterBy }: ListQuery): boolean {
  return filters.length + others.length === 0 && after === undefined && filterBy === undefined
}

/** Whether the page may choose the attributes of a list, because its query has neither `fields` nor groups. */
function isPlain(others: readonly QueryPair[]): boolean {
  return !others.some(([name]) => name === 'fields' || name === 'field' || name === 'group_by')
}

/** Notice with the core's refusal of the filters. */
function refusedHtml({ body }: ApiResponse): Html {
  const { error_description: description, details } = body
  return html`<div class="notice problem" role="alert"><p>${plainText(description ?? '')}</p>
${isObject(details) ? Object.entries(details).map(([name, problem]) => html`<p><bdi>${name}: ${plainText(problem)}</bdi></p>`) : undefined}</div>`
}

function pagesHtml(
  { visitor, path }: ConsoleRequest,
  lasting: readonly QueryPair[],
  after: string | undefined,
  next: string | undefined,
): Html {
  const address = (...more: readonly QueryPair[]) =>
    pageAddress(consoleAddress(visitor.environment, path, [...lasting, ...more]))
  return html`<div class="pages">
<p>Export all that match: <a href="${address(['as', 'csv'])}">CSV</a> <a href="${address(['as', 'json'])}">JSON</a></p>
${after === undefined && next === undefined ? undefined : html`<p>${after === undefined ? undefined : actionLink(address(), 'First page')} ${next === undefined ? undefined : actionLink(address(['after', next]), 'Next page')}</p>`}
</div>`
}
