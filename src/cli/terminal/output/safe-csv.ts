/**
 * What spreadsheets take for the beginning of a formula, after any apostrophes: `=`, `+`, `-`, `@`, also in full width and
 * behind blanks, tabs and carriage returns.
 */
const FORMULA = /^'*\s*(?:[=+\-@\uff1d\uff0b\uff0d\uff20]|(?<=[\t\r]\s*))/

/** A number as it is written: no formula, and spreadsheets shall go on counting with it. */
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** A cell that a spreadsheet shows as it is instead of computing it: with an apostrophe in front of a formula. */
export function safeCell(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

/** What the cell was before `safeCell`. */
export function originalCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
}
