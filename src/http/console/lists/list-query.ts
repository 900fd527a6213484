import type { QueryPair } from '../../../engine/core/request/request.js'
import { FILTER_FIELDS } from './filter-html.js'

/** Rows of a page. */
export const PAGE_ROWS = 50

/**
 * The parts of a list page's query. The query may have the list parameters of the API, the parameter `as`, and the
 * fields of the filter form.
 */
export interface ListQuery {
  readonly filters: readonly QueryPair[]
  readonly order: string | undefined
  /** Cursor of the page's beginning; undefined for the first page. */
  readonly after: string | undefined
  /** `fields`, `group_by` and other parameters of the API. */
  readonly others: readonly QueryPair[]
  /** Format of an export. */
  readonly as: string | undefined
  /** Attribute whose filter form is open, or was sent. */
  readonly filterBy: string | undefined
  readonly filterIs: string
  /** Values of the filter form that was sent; undefined for a form that is open. */
  readonly filterValues: readonly string[] | undefined
}

const OTHERS = ['fields', 'field', 'offset', 'group_by', 'mode']

export function parseListQuery(query: readonly QueryPair[]): ListQuery {
  // `limit` is dropped: a page always has `PAGE_ROWS` rows.
  const own = ['as', 'limit', 'order_by', 'after', ...Object.values(FILTER_FIELDS)]
  const last = (name: string) => query.findLast(([key]) => key === name)?.[1]
  const values = query.filter(([name]) => name === FILTER_FIELDS.value).map(([, value]) => value)
  const plain = query.filter(([name]) => !own.includes(name))
  return {
    filters: plain.filter(([name]) => !OTHERS.includes(name)),
    others: plain.filter(([name]) => OTHERS.includes(name)),
    order: last('order_by'),
    after: last('after'),
    as: last('as'),
    filterBy: last(FILTER_FIELDS.by),
    filterIs: last(FILTER_FIELDS.operator) ?? '',
    // A browser sends no value where no choice is ticked.
    filterValues: values.length > 0 || last(FILTER_FIELDS.operator) !== undefined ? values : undefined,
  }
}

/** The parameters that all pages of a list share: filters, order, and others such as `fields`. */
export function lastingPairs({ filters, others, order }: ListQuery): readonly QueryPair[] {
  return [...filters, ...others, ...(order === undefined ? [] : [['order_by', order] as const])]
}

/** The `after` cursor of the next page, from the `Link` header of an answer; undefined on the last page. */
export function nextAfter(link: string | undefined): string | undefined {
  const [, search] = /<[^?>]*\?([^>]*)>; rel="next"(?:,|$)/.exec(link ?? '') ?? []
  return search === undefined ? undefined : (new URLSearchParams(search).get('after') ?? undefined)
}
