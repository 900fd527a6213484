/**
 * Matches the beginning of a formula in spreadsheets: `=`, `+`, `-` or `@`, after any apostrophes.
 * Full-width forms also count, and so do blanks, tabs and carriage returns in front.
 */
const FORMULA = /^'*\s*(?:[=+\-@\uff1d\uff0b\uff0d\uff20]|(?<=[\t\r]\s*))/

/** Matches a number. It is not a formula, and spreadsheets must be able to calculate with it. */
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** Cell that a spreadsheet shows and does not evaluate: a formula gets an apostrophe in front. */
export function safeCell(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

/** Original text of a cell written with `safeCell`. */
export function originalCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
}

/** Mark in front of the header of a file whose cells are all written with `safeCell`. */
const MARK = "'"

/** Header of a file with safe cells, which is marked in its first cell. */
export function safeHeader(cells: readonly string[]): readonly string[] {
  return cells.map((cell, index) => (index === 0 ? MARK + cell : cell))
}

/** Whether the header of a file, as a line or as its first cell, has the mark for safe cells. */
export function isSafeHeader(header: string): boolean {
  return /^"?'/.test(header)
}

/** Cells of a header without the mark. */
export function originalHeader(cells: readonly string[]): readonly string[] {
  return cells.map((cell, index) => (index === 0 && cell.startsWith(MARK) ? cell.slice(1) : cell))
}
