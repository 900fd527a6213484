/** Cells as a line of CSV, quoted where they need it. */
export function csvLine(cells: readonly (string | number | null)[], delimiter = ','): string {
  return `${cells.map((cell) => csvCell(String(cell ?? ''), delimiter)).join(delimiter)}\n`
}

function csvCell(text: string, delimiter: string): string {
  const isPlain = !/["\r\n]/.test(text) && !text.includes(delimiter) && text === text.trim()
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}
