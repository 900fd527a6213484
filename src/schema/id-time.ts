/** The digits of ids, in the order in which they sort. */
export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** How many digits an id has after its prefix, and how many of them, at the beginning, are its time. */
const DIGITS = 22
const TIME_DIGITS = 8

/** The digits that the ids made at a time (milliseconds since 1970) begin with, after their prefix. */
export function digitsOfTime(milliseconds: number): string {
  return base62(milliseconds, TIME_DIGITS)
}

export function base62(value: number, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++, rest = Math.floor(rest / 62))
    text = ALPHABET.charAt(rest % 62) + text
  return text
}

/** What of an id sorts by time: all but its prefix. */
export function digitsOfId(id: string): string {
  return id.slice(-DIGITS)
}

/** The id of what follows from another object, and of which there is one: the same digits under a prefix of its own. */
export function idAlike(prefix: string, id: string): string {
  return prefix + digitsOfId(id)
}

/** The real time at which an id was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  const digits = digitsOfId(id).slice(0, TIME_DIGITS)
  return [...digits].reduce((sum, digit) => sum * ALPHABET.length + ALPHABET.indexOf(digit), 0)
}
