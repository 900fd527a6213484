/**
 * Matches numbers so long that a double may print them differently. Most texts have none and are parsed at
 * once. Each alternative begins with a digit, so that other characters are skipped quickly.
 */
const LONG_NUMBER = /\d(?:(?=[\d.]{16})\d{0,15}\.\d|\d{15}[eE]|[eE]-\d{3})/

/** Matches a text (with a colon: the name of an attribute), a number or a bracket. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[[\]{}]/g

/** Number that is parsed as infinity, which no attribute accepts. */
const INEXACT = '1e999'

interface Exactness {
  /** Attribute in which numbers must be exact; by default the whole text. */
  readonly attribute?: string
}

/**
 * Parses JSON. A number that a double would print differently (`0.1000000000000000055`) becomes infinite,
 * so that validation refuses it; `JSON.parse` alone would round it silently. Outside `attribute` numbers
 * are rounded, as money is rounded to cents anyway. Throws a `SyntaxError`.
 */
export function parseExactJson(text: string, { attribute }: Exactness = {}): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  JSON.parse(text)
  const place = new Place(attribute)
  return JSON.parse(
    text.replace(TOKEN, (token, quoted?: string, colon?: string) => {
      if (quoted !== undefined) place.text(quoted, colon !== undefined)
      else if (/[[\]{}]/.test(token)) place.bracket(token)
      else if (place.isExact && !isExactNumber(token)) return INEXACT
      return token
    }),
  )
}

/** Position in a text while its tokens are read. */
class Place {
  private depth = 0
  /** Depth of the attribute whose value is being read; undefined outside it. */
  private exactFrom: number | undefined
  private readonly name: string | undefined

  constructor(attribute: string | undefined) {
    this.name = attribute === undefined ? undefined : JSON.stringify(attribute)
  }

  get isExact(): boolean {
    return this.name === undefined || this.exactFrom !== undefined
  }

  text(quoted: string, isName: boolean): void {
    const isElsewhere = this.exactFrom === undefined || this.exactFrom === this.depth
    if (isName && isElsewhere) this.exactFrom = quoted === this.name ? this.depth : undefined
  }

  bracket(token: string): void {
    this.depth += token === '{' || token === '[' ? 1 : -1
    if (this.exactFrom !== undefined && this.depth < this.exactFrom) this.exactFrom = undefined
  }
}

/** Whether a number is written with the same digits as its double. */
function isExactNumber(written: string): boolean {
  const number = Number(written)
  return Number.isFinite(number) && digitsOf(written) === digitsOf(String(number))
}

/** Digits of a number without leading and trailing zeros, and the exponent of the last digit. */
function digitsOf(written: string): string {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? []
  const digits = (whole + decimals).replace(/^0+/, '')
  const kept = withoutTrailingZeros(digits)
  if (kept === '') return '0'
  return `${sign}${kept}e${Number(exponent) - decimals.length + digits.length - kept.length}`
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits.charAt(end - 1) === '0') end--
  return digits.slice(0, end)
}
