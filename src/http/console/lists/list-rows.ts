import type { QueryPair } from '../../../engine/core/request/request.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { isObject, type JsonObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleRequest, consoleAddress } from '../console-page.js'
import { emptyHtml, type ListColumn, tableHtml } from '../elements/list-html.js'
import { objectPath } from '../elements/object-path.js'
import {
  cutHtml,
  fieldLabel,
  hasIdForm,
  idHtml,
  plainText,
  type ValueContext,
  valueHtml,
  valueIn,
} from '../elements/value.js'
import { inEnvironment } from './elsewhere-of.js'
import { filteredField } from './list-filters.js'
import type { ListOptions } from './list-options.js'
import { lastingPairs, parseListQuery } from './list-query.js'
import { namesIn, valueContextOf } from './value-context.js'

/** The table of a page of a list. */
export interface RowsTable {
  readonly id: string
  /** Names of the attributes that are shown. */
  readonly columns: readonly string[]
  readonly options: ListOptions
  readonly request: ConsoleRequest
}

/** Columns of the table: requested by `fields`, or else the columns of the list. */
export function shownColumns(
  { resource, columns }: ListOptions,
  others: readonly QueryPair[],
): readonly string[] {
  const requested = others.filter(([name]) => name === 'fields' || name === 'group_by')
  if (requested.length === 0) return columns ?? resource.columns
  return requested.flatMap(([, value]) => value.split(',')).filter((name) => name !== '*')
}

/** The objects as a table, or a text if there are none. */
export async function rowsHtml(
  table: RowsTable,
  rows: readonly JsonObject[],
  isFiltered: boolean,
): Promise<Html> {
  const { id, columns, options, request } = table
  const { heading, empty = { what: `No ${heading.toLowerCase()} yet.` } } = options
  if (rows.length === 0 && isFiltered) return emptyHtml(options.unmatched ?? 'Nothing matches these filters.')
  if (rows.length === 0) {
    const { environment } = request.visitor
    const command = empty.command ?? (environment === 'test' ? empty.testCommand : undefined)
    return emptyHtml(empty.what, command && inEnvironment(environment, command))
  }
  const context = valueContextOf(request.visitor, await namesIn(request, ...rows))
  return tableHtml({
    id,
    caption: heading,
    columns: columns.map((name) => headOf(table, name)),
    rows: rows.map((row) =>
      columns.map((name, index) => attributeCell({ table, context, row, name, isFirst: index === 0 })),
    ),
  })
}

function headOf({ options: { resource, labels }, request }: RowsTable, name: string): ListColumn {
  const isSortable = name === 'created_at' || resource.indexes.some(([first]) => first === name)
  const query = parseListQuery(request.query)
  const sorted = directionIn(query.order, name)
  const pairs = lastingPairs({ ...query, order: sorted === 'descending' ? name : `-${name}` })
  const address = consoleAddress(request.visitor.environment, request.path, pairs)
  return {
    ...columnHead(resource, name, labels?.[name]),
    sorted,
    sort: isSortable ? pageAddress(address) : undefined,
  }
}

/** The head of an attribute's column, for a list that is not sorted. */
export function columnHead(resource: ResourceModel, name: string, label = fieldLabel(name)): ListColumn {
  const kind = filteredField(resource, name)?.kind
  return { label, isNumber: kind === 'money' || kind === 'integer' || kind === 'number' }
}

function directionIn(order: string | undefined, name: string): ListColumn['sorted'] {
  if (order === name) return 'ascending'
  return order === `-${name}` ? 'descending' : undefined
}

interface Cell {
  readonly table: Pick<RowsTable, 'options' | 'request'>
  readonly context: ValueContext
  readonly row: JsonObject
  /** Name of the attribute. */
  readonly name: string
  readonly isFirst: boolean
}

/** A cell of the table. The first cell of a row, and an `id`, link to the object. */
export function attributeCell({ table, context, row, name, isFirst }: Cell): Html | undefined {
  const { options, request } = table
  const special = options.cells?.[name]
  if (special) return special(row, context)
  const value = valueIn(row, name)
  const field = filteredField(options.resource, name)
  const { id } = row
  if (typeof id === 'string' && (isFirst || name === 'id')) {
    const path = options.pathOf?.(row) ?? objectPath(options.resource, id)
    const address = pageAddress(consoleAddress(request.visitor.environment, path))
    if (name === 'id') return idHtml(id, address)
    const shown = valueHtml(value, field, { ...context, addressOf: () => undefined })
    return html`<a href="${address}">${shown ?? idHtml(id)}</a>`
  }
  if (typeof value === 'string' && !hasIdForm(value) && (field === undefined || field.kind === 'text'))
    return cutHtml(value)
  if (isObject(value) && field?.kind === 'json') return cutHtml(plainText(value))
  return valueHtml(value, field, context)
}
