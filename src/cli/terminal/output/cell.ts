import type { Field } from '../../../schema/field.js'
import type { Json } from '../../../schema/json.js'
import { formatMoney, parseMoney } from '../../../schema/money.js'
import { cleanText } from './clean.js'
import { type Colour, statusColour } from './colour.js'

/** A value as text. */
export interface Cell {
  readonly text: string
  readonly align: 'left' | 'right'
  readonly colour?: Colour
}

/** How a value of a field is shown; money with its decimals. */
export function cellOf(value: Json | undefined, field: Field | undefined): Cell {
  if (value === null || value === undefined) return { text: '', align: isNumeric(field) ? 'right' : 'left' }
  switch (field?.kind) {
    case 'money':
      return { text: moneyText(value), align: 'right' }
    case 'number':
    case 'integer':
      return { text: textOf(value), align: 'right' }
    case 'flag':
      return { text: value === true ? 'yes' : 'no', align: 'left' }
    case 'one_of':
    case 'alias':
    case 'derived':
      return coloured(textOf(value))
    default:
      return { text: textOf(value), align: typeof value === 'number' ? 'right' : 'left' }
  }
}

export function isNumeric(field: Field | undefined): boolean {
  return field?.kind === 'money' || field?.kind === 'number' || field?.kind === 'integer'
}

/** Without control characters, with which a stored text could draw on the operator's terminal. */
function textOf(value: Json): string {
  return cleanText(typeof value === 'string' ? value : JSON.stringify(value))
}

/** An amount, as JSON has it, with its decimals. */
export function moneyText(value: Json): string {
  const minor = typeof value === 'number' ? parseMoney(value) : undefined
  return minor === undefined ? textOf(value) : formatMoney(minor)
}

function coloured(text: string): Cell {
  const colour = statusColour(text)
  return { text, align: 'left', ...(colour && { colour }) }
}
