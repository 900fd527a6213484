/** Digits of ids, in the order in which they sort. */
export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Number of digits in an id after its prefix; the first `TIME_DIGITS` of them are its time. */
const DIGITS = 22
const TIME_DIGITS = 8

/** First digits, after the prefix, of ids that are made at a time (milliseconds since 1970). */
export function digitsOfTime(milliseconds: number): string {
  return base62(milliseconds, TIME_DIGITS)
}

export function base62(value: number, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++, rest = Math.floor(rest / 62))
    text = ALPHABET.charAt(rest % 62) + text
  return text
}

/** Part of an id that sorts by time: all but its prefix. */
export function digitsOfId(id: string): string {
  return id.slice(-DIGITS)
}

/** Id of the single object that is derived from another one: the same digits with another prefix. */
export function idAlike(prefix: string, id: string): string {
  return prefix + digitsOfId(id)
}

/** Real time at which an id was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  const digits = digitsOfId(id).slice(0, TIME_DIGITS)
  return [...digits].reduce((sum, digit) => sum * ALPHABET.length + ALPHABET.indexOf(digit), 0)
}
