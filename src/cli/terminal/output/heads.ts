import { isCall } from '../input/query-text.js'
import { type AnswerSchema, bracketed, type Path } from '../input/shape.js'
import { type Cell, isForPeople, isNumeric } from './cell.js'
import { cleanText } from './clean.js'
import type { Look } from './look.js'

/**
 * The head of a column: words on a terminal, the attribute's name where output is piped; that of a datetime there has the
 * time zone, which on a terminal stands with the value.
 */
export function headOf(path: Path, shape: AnswerSchema, look: Look): Cell {
  const field = shape.field(path)
  const zone = field?.kind === 'datetime' ? ' (UTC)' : ''
  return {
    text: isForPeople(look)
      ? cleanText(wordsOf(path).toUpperCase())
      : cleanText(bracketed(path).toUpperCase()) + zone,
    align: isNumeric(field) ? 'right' : 'left',
    colour: 'bold',
  }
}

/** What people call an object: the column of it is named after the object. */
const NAMES = ['name', 'description', 'id']

/** `payment_method[description]` is `payment method`, `created_at` is `created`; a function stays as it was written. */
function wordsOf(path: Path): string {
  const [first = ''] = path
  if (isCall(first)) return first
  const last = path.at(-1) ?? ''
  const named = path.length > 1 && NAMES.includes(last) ? path.slice(0, -1) : path
  return named.map((name) => name.replace(/_at$/, '').replaceAll('_', ' ')).join(' ')
}
