import { statusTone } from '../../../schema/status-tone.js'

/** Codes that begin and end a colour. */
const CODES = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  bold: [1, 22],
  dim: [2, 22],
} as const

export type Colour = keyof typeof CODES

/** A text in a colour, if colours are shown. */
export function paint(text: string, colour: Colour | undefined, shown: boolean): string {
  if (!shown || !colour || text === '') return text
  const [on, off] = CODES[colour]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** Colour of a status; undefined for other words. */
export function statusColour(status: string): Colour | undefined {
  const tone = statusTone(status)
  return tone && COLOURS[tone]
}

const COLOURS = { good: 'green', open: 'yellow', bad: 'red', closed: 'dim' } as const
