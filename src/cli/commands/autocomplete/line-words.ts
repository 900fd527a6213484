/** Pieces of a line: in quotes (perhaps not ended yet), after a backslash, blanks, anything else. */
const PIECE = /"((?:\\.|[^"\\])*)"?|'([^']*)'?|\\(.?)|(\s+)|([^\s"'\\]+)/gs

/** A command line as its words, the last of which is still typed; quotes and backslashes as shells read them. */
export function lineWords(line: string): readonly string[] {
  const words = ['']
  for (const [, double, single, escaped, blanks, plain] of line.trimStart().matchAll(PIECE)) {
    if (blanks !== undefined) words.push('')
    else words.push(`${words.pop()}${double?.replace(/\\(.)/gs, '$1') ?? single ?? escaped ?? plain}`)
  }
  return words
}
