/** A piece of a line: a quoted text (perhaps not closed yet), an escaped character, blanks, or other characters. */
const PIECE = /"((?:\\.|[^"\\])*)"?|'([^']*)'?|\\(.?)|(\s+)|([^\s"'\\]+)/gs

/**
 * Words of an incomplete command line; its last word is still being typed. Quotes and backslashes work as
 * in shells.
 */
export function lineWords(line: string): readonly string[] {
  const words = ['']
  for (const [, double, single, escaped, blanks, plain] of line.trimStart().matchAll(PIECE)) {
    if (blanks !== undefined) words.push('')
    else words.push(`${words.pop()}${double?.replace(/\\(.)/gs, '$1') ?? single ?? escaped ?? plain}`)
  }
  return words
}
