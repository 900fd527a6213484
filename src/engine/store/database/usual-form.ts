/**
 * What is written between given values. JSON has no control characters, so that these are free: one ends a given value,
 * the next say which of the values given before comes again, and the last say how many usual values come.
 */
const END = 0
const MAX_NAMED = 22
const MAX_USUAL = 31 - MAX_NAMED
const CONTROL = /\p{Cc}/u

/** Texts that differ from one another in a few values: each is written as those values alone. */
export class UsualForm {
  /** What stands before each value, and after the last one. */
  private readonly fixed: readonly string[]
  private readonly usual: readonly string[]

  /** Of a text in which what differs stands between < and >, with what it is mostly. */
  constructor(text: string) {
    const parts = text.split(/[<>]/)
    this.fixed = parts.filter((_, index) => index % 2 === 0)
    this.usual = parts.filter((_, index) => index % 2 === 1)
  }

  /** What a text says unlike the usual; nothing where it is not of this form. */
  write(text: string): string | undefined {
    const values = this.valuesIn(text)
    if (!values) return undefined
    const given: string[] = []
    let written = ''
    let usuals = 0
    for (const [index, value] of values.entries()) {
      if (value === this.usual[index]) {
        usuals++
        continue
      }
      written += usualCodes(usuals)
      usuals = 0
      const known = given.indexOf(value)
      written += known < 0 ? value + String.fromCharCode(END) : String.fromCharCode(END + 1 + known)
      if (known < 0 && given.length < MAX_NAMED) given.push(value)
    }
    return written + usualCodes(usuals)
  }

  /** The text that was written so. Throws when that cannot be. */
  read(written: string): string {
    const { fixed, usual } = this
    const given: string[] = []
    const values: string[] = []
    for (let at = 0; at < written.length; at++) {
      const code = written.charCodeAt(at)
      if (code > END && code <= MAX_NAMED) values.push(given[code - END - 1] ?? '')
      else if (code > MAX_NAMED && code <= MAX_NAMED + MAX_USUAL)
        values.push(...usual.slice(values.length, values.length + code - MAX_NAMED))
      else {
        const end = written.indexOf(String.fromCharCode(END), at)
        if (end < 0) break
        const value = written.slice(at, end)
        values.push(value)
        given.push(value)
        at = end
      }
    }
    if (values.length !== usual.length) throw new Error('unexpected end of a packed answer')
    return fixed.map((text, index) => text + (values[index] ?? '')).join('')
  }

  /** What stands in each place; nothing where the text is another one, or would be read as another one. */
  private valuesIn(text: string): string[] | undefined {
    const { fixed, usual } = this
    const [first = ''] = fixed
    const last = fixed.at(-1) ?? ''
    if (!text.startsWith(first) || !text.endsWith(last)) return undefined
    const values: string[] = []
    let at = first.length
    for (let index = 0; index < usual.length; index++) {
      const next = fixed[index + 1] ?? ''
      const end = index < usual.length - 1 ? text.indexOf(next, at) : text.length - last.length
      if (end < at) return undefined
      values.push(text.slice(at, end))
      at = end + next.length
    }
    return CONTROL.test(text) ? undefined : values
  }
}

function usualCodes(count: number): string {
  let codes = ''
  for (let left = count; left > 0; left -= MAX_USUAL)
    codes += String.fromCharCode(MAX_NAMED + Math.min(left, MAX_USUAL))
  return codes
}
