import type { Field } from '../../../schema/field.js'
import { fitted } from './width.js'

/** Properties of a column that determine its width. */
export interface Column {
  /** Width of the widest value. */
  readonly values: number
  /** Width of the widest shortened value; undefined if values cannot be shortened. */
  readonly short?: number | undefined
  /** Whether the column holds ids, which are shortened first. */
  readonly isId?: boolean
  /** Width of the head. */
  readonly head: number
  /** Width of the longest word of the head, which may be wrapped to several lines. */
  readonly word: number
  /** Whether values must not be cut. */
  readonly isWhole: boolean
  /** Rank of the column: columns with higher ranks are omitted first, 0 last. */
  readonly rank: number
}

/** Width of a column that is shown. */
export interface ColumnWidth {
  /** Index among all columns. */
  readonly column: number
  readonly width: number
  /** Whether values are shortened. */
  readonly isShort: boolean
}

/**
 * Minimum widths to which texts are cut, tried in this order: easy to read, enough for a name, and the
 * least.
 */
const GOOD_TEXT = 32
const NAME = 20
const MIN_TEXT = 12
/** Minimum width of a requested column, and the maximum width that a column reserves for a word of its head. */
const MIN_WIDTH = 6
const MAX_WORD = 12

/**
 * Chooses the columns of a table that fit a screen, and their widths. First, heads are wrapped and long
 * texts cut; then ids are shortened, texts cut further, and datetimes shortened. If that is not enough,
 * columns are omitted, highest ranks first. Unless `mayDrop`, all columns are shown, without shortened
 * values.
 */
export function layoutOf(
  columns: readonly Column[],
  { screen, gap, mayDrop }: { readonly screen: number; readonly gap: number; readonly mayDrop: boolean },
): readonly ColumnWidth[] {
  if (!mayDrop) {
    const room = screen - gap * (columns.length - 1)
    const full = columns.map(fullWidthOf)
    const bare = columns.map(bareWidthOf)
    const widths =
      fitted(
        full,
        columns.map((column) => minWidthOf(column, MIN_TEXT)),
        room,
      ) ??
      fitted(full, bare, room) ??
      bare
    return widths.map((width, column) => ({ column, width, isShort: false }))
  }
  const order = columns.map((_, column) => column).toSorted((a, b) => rankOf(columns, a) - rankOf(columns, b))
  const widthsWith = (shown: ReadonlySet<number>) => {
    // An ellipsis, which needs room, marks omitted columns.
    const room = screen - gap * (shown.size - 1) - (shown.size < columns.length ? gap + 1 : 0)
    for (const stage of STAGES) {
      const found = widthsOf(columns, shown, room, stage)
      if (found) return found
    }
    return undefined
  }
  const all = widthsWith(new Set(order))
  if (all) return all
  let shown: ReadonlySet<number> = new Set()
  for (const column of order) {
    const more = new Set([...shown, column])
    if (widthsWith(more)) shown = more
  }
  const first = { column: order[0] ?? 0, width: Math.max(1, screen - gap - 1), isShort: false }
  return widthsWith(shown) ?? [first]
}

/** A stage of shortening; stages are tried in order. */
interface Stage {
  readonly ids: boolean
  readonly times: boolean
  /** Smallest width of a text. */
  readonly text: number
}

const STAGES: readonly Stage[] = [
  { ids: false, times: false, text: GOOD_TEXT },
  { ids: true, times: false, text: GOOD_TEXT },
  { ids: true, times: false, text: NAME },
  { ids: true, times: false, text: MIN_TEXT },
  { ids: true, times: true, text: MIN_TEXT },
]

function rankOf(columns: readonly Column[], column: number): number {
  return columns[column]?.rank ?? 0
}

/** Widths of some of the columns, in their order; undefined if there is no room for them. */
function widthsOf(
  columns: readonly Column[],
  shown: ReadonlySet<number>,
  room: number,
  { ids, times, text }: Stage,
): readonly ColumnWidth[] | undefined {
  const some = columns.flatMap((column, index) => {
    if (!shown.has(index)) return []
    const whole = column.isId ? ids : times
    const isDue = column.isWhole ? whole : text <= NAME
    const shortens = column.short !== undefined && isDue
    const values = shortens ? (column.short ?? 0) : column.values
    return [{ index, shortens, ...column, values, isWhole: column.isWhole || shortens }]
  })
  if (some.length === 0) return undefined
  const widths = fitted(
    some.map(fullWidthOf),
    some.map((column) => minWidthOf(column, text)),
    room,
  )
  return widths?.map((width, at) => ({
    width,
    column: some[at]?.index ?? 0,
    isShort: some[at]?.shortens ?? false,
  }))
}

/** Whether values of a field must not be cut: a part of an amount would be another amount. */
export function isWholeField(field: Field | undefined): boolean {
  switch (field?.kind) {
    case 'id':
    case 'ref':
    case 'money':
    case 'number':
    case 'integer':
    case 'flag':
    case 'one_of':
    case 'alias':
    case 'derived':
    case 'date':
    case 'datetime':
      return true
    default:
      return false
  }
}

export function isId(field: Field | undefined): boolean {
  return field?.kind === 'id' || field?.kind === 'ref'
}

type Widths = Pick<Column, 'values' | 'head' | 'word' | 'isWhole'>

function fullWidthOf({ values, head }: Widths): number {
  return Math.max(values, head)
}

function minWidthOf({ values, word, isWhole }: Widths, text: number): number {
  return Math.max(isWhole ? values : Math.min(values, text), Math.min(word, MAX_WORD))
}

function bareWidthOf({ values, head }: Widths): number {
  return Math.min(Math.max(values, head), MIN_WIDTH)
}
