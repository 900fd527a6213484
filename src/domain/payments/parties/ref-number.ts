/** Digits and capitals that are easy to tell apart: no 0, 1, I, L, O, U. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = 4

/** Number of values of four letters, and of eight. */
const GROUP_SPAN = ALPHABET.length ** GROUP
const SPAN = GROUP_SPAN ** 2

/** Number of characters after an id's prefix that hold the millisecond. */
const TIME = 8

/**
 * The reference that people read and spell, `K7QM-T4X9-PB2W-HRD5`, derived from the transaction's id. Eight letters are
 * the millisecond (repeating after 20 years), eight come from the rest of the id. Later references sort behind earlier
 * ones, which keeps their index cheap. Two transactions of the same millisecond have the same reference with a
 * probability of 1 in 656,000 million.
 */
export function refNumber(id: string): string {
  const random = id.slice(id.lastIndexOf('_') + 1)
  return `${inLetters(number(random.slice(0, TIME)))}-${inLetters(number(random.slice(TIME)))}`
}

/** A base-62 text as a number, modulo `SPAN`. */
function number(text: string): number {
  let value = 0
  for (const character of text) {
    value = value * 62 + parseBase62(character)
    if (value >= SPAN) value %= SPAN
  }
  return value
}

function parseBase62(character: string): number {
  const code = character.charCodeAt(0)
  if (code <= 57) return code - 48
  return code <= 90 ? code - 55 : code - 61
}

/** A number as two groups of letters. */
function inLetters(value: number): string {
  return `${group(Math.floor(value / GROUP_SPAN))}-${group(value % GROUP_SPAN)}`
}

function group(value: number): string {
  let letters = ''
  for (let rest = value, i = 0; i < GROUP; i++, rest = Math.floor(rest / ALPHABET.length))
    letters = ALPHABET.charAt(rest % ALPHABET.length) + letters
  return letters
}
