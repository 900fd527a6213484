/**
 * Numbers so long that a double may print them back as others; most texts have none and are parsed at once. Each way begins
 * with a digit, so that whatever else a text has is passed over quickly.
 */
const LONG_NUMBER = /\d(?:(?=[\d.]{16})\d{0,15}\.\d|\d{15}[eE]|[eE]-\d{3})/

/** A text (with a colon the name of an attribute), a number, or a bracket. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[[\]{}]/g

/** Read as a number that no attribute keeps. */
const INEXACT = '1e999'

interface Exactness {
  /** The attribute whose numbers are kept as they are written; the whole text unless given. */
  readonly attribute?: string
}

/**
 * Parses JSON. A number that would be printed back as another one (`0.1000000000000000055`) becomes infinite, so that
 * validation refuses it; JSON.parse alone would round it in silence. Money outside of `attribute` is rounded to cents anyway.
 * Throws a `SyntaxError`.
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

/** Where in a text the tokens stand that are read one after another. */
class Place {
  private depth = 0
  /** The depth of the name whose value is read; nothing outside of it. */
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

/** Whether a number is the one that its double is printed as. */
function isExactNumber(written: string): boolean {
  const number = Number(written)
  return Number.isFinite(number) && digitsOf(written) === digitsOf(String(number))
}

/** A number as its digits without zeros around them, and the exponent of the last one. */
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
