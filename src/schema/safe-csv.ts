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

/** Mark in front of the header of a file whose cells are all written with `safeCell`. */
const MARK = "'"

/** The header of a file with safe cells: its first cell says so. */
export function safeHeader(cells: readonly string[]): readonly string[] {
  return cells.map((cell, index) => (index === 0 ? MARK + cell : cell))
}

/** Whether the header of a file, as a line or as its first cell, says that its cells are safe. */
export function isSafeHeader(header: string): boolean {
  return /^"?'/.test(header)
}

/** The cells of a header without the mark. */
export function originalHeader(cells: readonly string[]): readonly string[] {
  return cells.map((cell, index) => (index === 0 && cell.startsWith(MARK) ? cell.slice(1) : cell))
}
