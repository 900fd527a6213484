import type { Field } from '../../../schema/field.js'
import { fitted } from './width.js'

/** What the width of a column depends on. */
export interface Column {
  /** Width of the widest value. */
  readonly values: number
  /** Width of the head. */
  readonly head: number
  /** Whether values must not be cut. */
  readonly isWhole: boolean
}

/** The least width of a text that is cut. */
const MIN_TEXT = 12
/** The least width of any column. */
const MIN_WIDTH = 6

/**
 * The widths of a table's columns on a screen, and so how many are shown. Headers and texts shrink first; if that is not
 * enough, the last columns are left out, unless `mayDrop` is false.
 */
export function layoutOf(
  columns: readonly Column[],
  { screen, gap, mayDrop }: { readonly screen: number; readonly gap: number; readonly mayDrop: boolean },
): readonly number[] {
  for (let kept = columns.length; kept > 0; kept--) {
    const shown = columns.slice(0, kept)
    // An ellipsis, which needs room, says that columns are left out.
    const room = screen - gap * (kept - 1) - (kept < columns.length ? gap + 1 : 0)
    const widths = fitted(shown.map(fullWidthOf), shown.map(minWidthOf), room)
    if (widths) return widths
    if (!mayDrop)
      return fitted(shown.map(fullWidthOf), shown.map(bareWidthOf), room) ?? shown.map(bareWidthOf)
  }
  return [screen]
}

/** Whether values of a field must not be cut: ids are copied, and a part of an amount would be another amount. */
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

function fullWidthOf({ values, head }: Column): number {
  return Math.max(values, head)
}

function minWidthOf({ values, head, isWhole }: Column): number {
  if (isWhole) return Math.max(values, Math.min(head, MIN_WIDTH))
  return Math.min(Math.max(values, head), MIN_TEXT)
}

function bareWidthOf({ values, head }: Column): number {
  return Math.min(Math.max(values, head), MIN_WIDTH)
}
