/**
 * Beginning of a formula for spreadsheets: `=`, `+`, `-` or `@`, after any apostrophes. Also in full width, and after
 * blanks, tabs and carriage returns.
 */
const FORMULA = /^'*\s*(?:[=+\-@\uff1d\uff0b\uff0d\uff20]|(?<=[\t\r]\s*))/

/** A number: it is no formula, and spreadsheets must be able to calculate with it. */
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** A cell that a spreadsheet shows instead of evaluating: a formula gets an apostrophe in front. */
export function safeCell(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

/** The cell before `safeCell`. */
export function originalCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
}
