import type { Field } from '../../../schema/field.js'
import { fitted } from './width.js'

/** A column as far as its width goes. */
export interface Column {
  /** Width of the widest value. */
  readonly values: number
  /** Width of the head. */
  readonly head: number
  /** Whether a part of a value says nothing. */
  readonly isWhole: boolean
}

/** Least width of a text that is cut off, and of anything where there is no room at all. */
const MIN_TEXT = 12
const MIN_WIDTH = 6

/**
 * How wide each column of a table is on a terminal of so many columns, and so how many are shown. Heads and texts give
 * first; where that is not enough the last columns are left out, unless all were asked for.
 */
export function layoutOf(
  columns: readonly Column[],
  { screen, gap, mayDrop }: { readonly screen: number; readonly gap: number; readonly mayDrop: boolean },
): readonly number[] {
  for (let kept = columns.length; kept > 0; kept--) {
    const shown = columns.slice(0, kept)
    // An ellipsis says that something is left out.
    const room = screen - gap * (kept - 1) - (kept < columns.length ? gap + 1 : 0)
    const widths = fitted(shown.map(naturalOf), shown.map(leastOf), room)
    if (widths) return widths
    if (!mayDrop) return fitted(shown.map(naturalOf), shown.map(barest), room) ?? shown.map(barest)
  }
  return [screen]
}

/** Ids are copied, a part of an amount is another amount, and so with dates and statuses. */
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

function naturalOf({ values, head }: Column): number {
  return Math.max(values, head)
}

function leastOf({ values, head, isWhole }: Column): number {
  if (isWhole) return Math.max(values, Math.min(head, MIN_WIDTH))
  return Math.min(Math.max(values, head), MIN_TEXT)
}

function barest({ values, head }: Column): number {
  return Math.min(Math.max(values, head), MIN_WIDTH)
}
