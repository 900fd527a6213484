import type { QueryPair } from '../core/request.js'
import { UsageError } from './failure.js'
import { bracketed, pathOf, type Shape } from './shape.js'
import { readDateText } from './values.js'

/** Whether a filter may speak of days as seen from now, as in `created_at=>2d`. */
export function hasDateWord(text: string): boolean {
  return text.search(DATE_WORD) >= 0
}

/** A filter in the interface's grammar (`amount=>100`, `payment_method.type=card`) as a query parameter. */
export function wherePair(text: string, shape: Shape, now: number): QueryPair {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`Expected a filter such as amount=>100, but received: ${text}`)
  const path = pathOf(text.slice(0, at).trim())
  const value = text.slice(at + 1)
  return [bracketed(path), isMoment(shape, path) ? relativeDates(value, now) : value]
}

/** Attribute names as the interface writes them; functions and `*` as they are. */
export function attributeNames(text: string): string {
  return text
    .split(',')
    .map((name) => (/^[\w.[\]-]+$/.test(name.trim()) ? signed(name.trim()) : name.trim()))
    .join(',')
}

/** A minus before a name (descending order) stays before it. */
function signed(name: string): string {
  return name.startsWith('-') ? `-${bracketed(pathOf(name.slice(1)))}` : bracketed(pathOf(name))
}

const DATE_WORD = /(today|yesterday|\b\d{1,5}[dw])(?=\||$)/g

function isMoment(shape: Shape, path: readonly string[]): boolean {
  const kind = shape.field(path)?.kind
  return kind === 'date' || kind === 'datetime'
}

/** `>2w` and `>=yesterday` with the dates that they mean. */
function relativeDates(value: string, now: number): string {
  return value.replace(DATE_WORD, (word) => readDateText(word, now))
}
