import { Readable } from 'node:stream'
import type { ApiResponse, QueryPair } from '../../../engine/core/request/request.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { csvText } from '../../../platform/csv-text.js'
import { objectsIn } from '../../../schema/answer-values.js'
import { parseName } from '../../../schema/attribute-name.js'
import type { JsonObject } from '../../../schema/json.js'
import { fieldAt, singleValues } from '../../../schema/nested-fields.js'
import { LARGEST_LIMIT } from '../../../schema/resource.js'
import { safeHeader } from '../../../schema/safe-csv.js'
import type { ConsoleAnswer, ConsoleRequest } from '../console-page.js'
import { csvCell, valueIn } from '../elements/value.js'
import { nextAfter } from './list-query.js'

/** A list to export: all objects that match its query. */
interface ExportedList {
  readonly resource: ResourceModel
  readonly query: readonly QueryPair[]
}

/** File with all objects of a list: CSV in which spreadsheets find no formulas, or the JSON of the API. */
export async function exportList(
  request: ConsoleRequest,
  list: ExportedList,
  format: string,
): Promise<ConsoleAnswer> {
  if (format !== 'csv' && format !== 'json') return { kind: 'missing' }
  // The first page is read before anything is sent, because the request may be refused.
  const first = await page(request, list, undefined)
  if (first.status !== 200) return { kind: 'refused', answer: first }
  const name = `${list.resource.plural.split('/').at(-1)}-${request.visitor.environment}.${format}`
  const pages = pagesFrom(request, list, first)
  const text = format === 'csv' ? csvOf(list, pages) : jsonOf(pages)
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8'
  return { kind: 'file', name, type, content: Readable.from(text) }
}

type Rows = readonly JsonObject[]

async function page(
  request: ConsoleRequest,
  { resource, query }: ExportedList,
  after: string | undefined,
): Promise<ApiResponse> {
  const limit: QueryPair = ['limit', String(LARGEST_LIMIT)]
  const place: readonly QueryPair[] = after === undefined ? [] : [['after', after]]
  return await request.ask('GET', `/${resource.plural}`, { query: [...query, limit, ...place] })
}

/**
 * Pages of objects; each is read after the previous one was sent. Throws if a page is refused, so the file breaks off.
 */
async function* pagesFrom(
  request: ConsoleRequest,
  list: ExportedList,
  first: ApiResponse,
): AsyncGenerator<Rows, void> {
  let answer = first
  for (;;) {
    yield objectsIn(answer.body)
    const after = nextAfter(answer.headers['Link'])
    if (after === undefined) return
    answer = await page(request, list, after)
    if (answer.status !== 200) throw new Error('A page of an export was refused')
  }
}

async function* jsonOf(pages: AsyncIterable<Rows>): AsyncGenerator<string, void> {
  let before = '{"object":"list","values":['
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield before + rows.map((row) => JSON.stringify(row)).join(',\n')
    before = ',\n'
  }
  yield before.startsWith('{') ? `${before}]}\n` : ']}\n'
}

async function* csvOf(
  { resource, query }: ExportedList,
  pages: AsyncIterable<Rows>,
): AsyncGenerator<string, void> {
  const columns = columnsOf(resource, query)
  const kinds = columns.map((path) => fieldAt(resource.model, resource.attributes, path)?.kind)
  const names = columns.map(bracketed)
  yield csvText([safeHeader(names)])
  for await (const rows of pages)
    yield csvText(
      rows.map((row) => names.map((name, index) => csvCell(valueIn(row, name), kinds[index] === 'money'))),
      { isSafe: true },
    )
}

/** Paths of the columns: those that the query requests, or every single value that is shown by default. */
function columnsOf(resource: ResourceModel, query: readonly QueryPair[]): readonly (readonly string[])[] {
  const requested = query.filter(([name]) => name === 'fields' || name === 'group_by')
  if (requested.length === 0) return singleValues(resource.model, resource.attributes)
  return requested.flatMap(([, names]) => names.split(',')).map((name) => parseName(name) ?? [name])
}

function bracketed([first = '', ...rest]: readonly string[]): string {
  return first + rest.map((name) => `[${name}]`).join('')
}
