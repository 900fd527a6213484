import { isCall } from '../input/query-text.js'
import { type AnswerSchema, bracketed, type Path } from '../input/shape.js'
import { type Cell, isForPeople, isNumeric } from './cell.js'
import { cleanText } from './clean.js'
import type { Look } from './look.js'

/**
 * Head of a column: words on a terminal, the attribute's name in piped output. In piped output, the head of a datetime
 * has the time zone; on a terminal, the value has it.
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

/** Attributes that name an object: their column has the name of the object. */
const NAMES = ['name', 'description', 'id']

/**
 * Words for a path: `payment_method[description]` is `payment method`, `created_at` is `created`. A function stays as
 * written.
 */
function wordsOf(path: Path): string {
  const [first = ''] = path
  if (isCall(first)) return first
  const last = path.at(-1) ?? ''
  const named = path.length > 1 && NAMES.includes(last) ? path.slice(0, -1) : path
  return named.map((name) => name.replace(/_at$/, '').replaceAll('_', ' ')).join(' ')
}
