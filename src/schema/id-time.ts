/** The digits of ids, in the order in which they sort. */
export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** How many digits an id has after its prefix, and how many of them, at the beginning, are its time. */
const DIGITS = 22
export const TIME_DIGITS = 8

/** The real time at which an id was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  const digits = id.slice(-DIGITS).slice(0, TIME_DIGITS)
  return [...digits].reduce((sum, digit) => sum * ALPHABET.length + ALPHABET.indexOf(digit), 0)
}
